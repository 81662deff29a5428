import type { OpcUaClient } from '@pb-oel/protocol'
import type { BrowseResult, ClientSession } from 'node-opcua-client'
import { SetupError } from '../../errors.ts'
import type { OpcUa } from './library.ts'

/** A variable and the channel that it belongs to. */
export interface Variable {
  node: string
  system: string
  channel: string
}

/** How deep objects are looked through, and how many variables a rule may mean. */
const [DEEPEST, MOST] = [4, 10_000]

/**
 * The variables that rules mean. The variables of an object are called by their browse names, those of an object within
 * it `Object/variable`.
 */
export async function findVariables(
  { NodeClass, AttributeIds }: OpcUa,
  session: ClientSession,
  rules: OpcUaClient['rules'],
): Promise<Variable[]> {
  const found: Variable[] = []
  for (const { node, system, channel } of rules) {
    const answer = await session.read({ nodeId: node, attributeId: AttributeIds.NodeClass })
    const kind = answer.value.value
    if (kind === NodeClass.Variable) {
      if (channel === undefined) throw new SetupError(`node ${node} is a variable: its rule needs a channel`)
      found.push({ node, system, channel })
    } else if (kind === NodeClass.Object) {
      if (channel !== undefined) throw new SetupError(`node ${node} is an object: its variables have the channels`)
      for (const variable of await variablesOf(NodeClass, session, node)) found.push({ ...variable, system })
    } else throw new SetupError(`node ${node} is no variable and no object of this server (${answer.statusCode.name})`)
  }
  return found
}

async function variablesOf(
  NodeClass: OpcUa['NodeClass'],
  session: ClientSession,
  root: string,
): Promise<Omit<Variable, 'system'>[]> {
  const found: Omit<Variable, 'system'>[] = []
  const seen = new Set<string>()
  let level = [{ node: root, path: '' }]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: typeof level = []
    for (const { node, path } of level) {
      for (const { nodeId, browseName, nodeClass } of await referencesOf(session, node)) {
        const id = nodeId.toString()
        if (seen.has(id)) continue
        seen.add(id)
        const name = `${path}${browseName.name}`
        if (nodeClass === NodeClass.Variable) found.push({ node: id, channel: name })
        else if (nodeClass === NodeClass.Object) next.push({ node: id, path: `${name}/` })
        if (found.length > MOST) throw new SetupError(`node ${root} has more than ${MOST} variables: name a part of it`)
      }
    }
    level = next
  }
  return found
}

/** What hangs below a node, however many answers it takes. */
async function referencesOf(session: ClientSession, node: string) {
  const description = { nodeId: node, referenceTypeId: 'HierarchicalReferences', includeSubtypes: true, resultMask: 63 }
  let result: BrowseResult = await session.browse(description)
  const references = [...(result.references ?? [])]
  while (result.continuationPoint?.length) {
    result = await session.browseNext(result.continuationPoint, false)
    references.push(...(result.references ?? []))
  }
  return references
}
