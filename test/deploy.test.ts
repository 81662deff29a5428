import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { dependencies, licences } from '../scripts/release-papers.ts'
import { stagesOf, textsOf } from './testing/dockerfile.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT }).sort()

describe('workflows', () => {
  it.skipIf(!has('actionlint', '--version'))('are found well by actionlint (needs actionlint)', () => {
    expect(workflows).toHaveLength(4)
    expect(spawnSync('actionlint', workflows, { cwd: ROOT, encoding: 'utf8' })).toMatchObject({ stdout: '', status: 0 })
  })

  it('run npm and its scripts only', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const steps = workflows.flatMap((file) =>
      Object.values<{ steps: { run?: string }[] }>(parse(read(file)).jobs).flatMap(({ steps }) => steps),
    )
    const commands = steps.flatMap(({ run }) => run ?? [])
    expect(commands.length).toBeGreaterThan(4)
    for (const command of commands) {
      if (command === 'npm ci') continue
      const [, script] = command.match(/^npm (?:run )?([\w:]+)(?: -- [\w-]+)?$/) ?? []
      expect(Object.keys(scripts), command).toContain(script)
    }
  })

  it('give no job more rights than it names', () => {
    for (const file of workflows) expect(parse(read(file)).permissions, file).toEqual({ contents: 'read' })
  })
})

describe('the image', () => {
  const stages = stagesOf(read('deploy/Dockerfile'))
  const last = stages.at(-1) ?? []

  it('is built in stages, and the last one is not root and says how it is', () => {
    expect(stages).toHaveLength(3)
    expect(textsOf(last, 'USER')).toEqual(['node'])
    expect(textsOf(last, 'HEALTHCHECK')).toHaveLength(1)
    expect(textsOf(last, 'RUN').join()).not.toContain('npm')
  })

  it('is run with a read-only root by compose and Kubernetes', () => {
    const { services } = parse(read('deploy/compose.yaml'), { merge: true })
    const ours = Object.values<Record<string, unknown>>(services).filter(({ image }) => image === 'pb-oel')
    expect(ours).toHaveLength(3)
    for (const service of ours) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(services.server.command).toContain('mqtt://mqtt:1883')
    expect(services['worker-1'].command).toContain('nats://nats:4222')
    const { spec } = parse(read('deploy/kubernetes/server.yaml')).spec.template
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(spec.containers[0].securityContext).toMatchObject({ readOnlyRootFilesystem: true })
  })

  it('gets its first token in Kubernetes from a job that has the store of the server', () => {
    const server = parse(read('deploy/kubernetes/server.yaml'))
    const job = parse(read('deploy/kubernetes/first-token.yaml')).spec.template.spec
    const [claim] = server.spec.volumeClaimTemplates
    const { persistentVolumeClaim } = job.volumes.find(({ name }: { name: string }) => name === claim.metadata.name)
    expect(persistentVolumeClaim.claimName).toBe(`${claim.metadata.name}-${server.metadata.name}-0`)
    const [ours, theirs] = [job, server.spec.template.spec].map(({ containers }) => containers[0])
    expect(ours.volumeMounts).toEqual(theirs.volumeMounts)
    const store = (args: string[]) => args[args.indexOf('--store') + 1]
    expect(store(ours.args)).toBe(store(theirs.args))
    expect(ours.args).toContain('--new-token')
    expect(job.securityContext).toEqual(server.spec.template.spec.securityContext)
  })

  it.skipIf(!has('kubectl', 'kustomize', '--help'))('is deployed by what kustomize renders (needs kubectl)', () => {
    const { stdout, status } = spawnSync('kubectl', ['kustomize', 'deploy/kubernetes'], { cwd: ROOT, encoding: 'utf8' })
    expect(status).toBe(0)
    const [service, set] = stdout.split(/^---$/m).map((text) => parse(text))
    expect(service.spec.selector).toEqual(set.spec.selector.matchLabels)
    expect(set.spec.template.metadata.labels).toEqual(set.spec.selector.matchLabels)
    expect(set.spec.template.spec.containers[0].image).toBe('pb-oel:latest')
  })
})

it('every package that ours bring along has a licence that allows it', () => {
  const all = dependencies()
  expect(all.length).toBeGreaterThan(50)
  const allowed = /^(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|MPL-2\.0|Unlicense)$/
  expect(all.filter(({ licence }) => !allowed.test(licence))).toEqual([])
  expect(licences(all)).toContain('==== fastify ')
})
