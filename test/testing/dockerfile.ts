/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The stages of a Dockerfile, each beginning with its FROM. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name, text] = line.match(/^(\w+)\s+(.*)$/) ?? []
    if (name === undefined) throw new Error(`no instruction: ${line}`)
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, text })
  }
  return stages
}

/** The instructions of that name in a stage. */
export const textsOf = (stage: readonly Instruction[], name: string): string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ text }) => text)
