import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { BridgeRule } from '@pb-oel/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../testing/child-server.ts'
import { temporaryFolder } from '../../testing/folder.ts'
import { localServer } from '../../testing/local-server.ts'
import { until } from '../../testing/until.ts'
import { PYTHON, PythonPeer } from '../testing/python-peer.ts'

interface Kept {
  values: number[]
  degraded?: string[]
}

const PUMP = { channels: ['pressure', 'count', 'Inlet/open'], levels: ['safe', 'unsafe'], method: 'majority' }

describe.skipIf(!PYTHON)('a server of asyncua (needs Python with the packages of the tests)', () => {
  const folder = temporaryFolder()
  let peer: PythonPeer
  let port: number
  const POLICIES = [
    ['Basic256Sha256', 'SignAndEncrypt'],
    ['Aes128_Sha256_RsaOaep', 'Sign'],
    ['Aes256_Sha256_RsaPss', 'SignAndEncrypt'],
  ]
  let url: string
  beforeAll(async () => {
    port = await freePort()
    peer = new PythonPeer('opcua_server.py', String(port), join(folder, 'server'))
    await peer.tell('start')
    const bridge = (name: string, more: object) =>
      ({
        ...{ kind: 'opcua', name, url: `opc.tcp://127.0.0.1:${port}/works/`, sampling: 50, folder: join(folder, name) },
        ...{ rules: [{ node: 'ns=2;s=Pump', system: name }], ...more },
      }) as BridgeRule
    const bridges = [
      bridge('open', { policy: 'None' }),
      bridge('wary', {}),
      ...POLICIES.map(([policy, mode]) => bridge(policy, { policy, mode, trustFirst: true })),
    ]
    const systems = bridges.map(({ name }) => ({ ...PUMP, id: name as string, missing: 'hold' as const }))
    url = (await localServer({ systems, bridges })).url
  })
  afterAll(() => peer?.kill())

  const kept = async (system: string): Promise<Kept[]> =>
    (await (await fetch(`${url}/v1/systems/${system}/samples?limit=5000`)).json()).samples
  const last = (system: string, holds: (sample: Kept) => boolean) =>
    until(
      async () => (await kept(system)).at(-1),
      (sample) => sample !== undefined && holds(sample),
    ) as Promise<Kept>
  const metrics = async () => (await fetch(`${url}/metrics`)).text()

  it.each(POLICIES)('speaks %s, %s', async (policy) => {
    expect(await last(policy, () => true)).toMatchObject({ values: [1.5, -3, 1] })
  })

  it('is not trusted before somebody trusts its certificate', async () => {
    const rejected = join(folder, 'wary/rejected')
    const files = await until(
      () => (existsSync(rejected) ? readdirSync(rejected) : []),
      (found) => found.length > 0,
    )
    expect(await kept('wary')).toEqual([])
    expect(await metrics()).toContain('pb_oel_bridge_connected{bridge="wary"} 0')
    for (const file of files) renameSync(join(rejected, file), join(folder, 'wary/trusted/certs', file))
    expect(await last('wary', () => true)).toMatchObject({ values: [1.5, -3, 1] })
  })
  it('is browsed and followed, its bad values are degraded channels, and its end is not hidden', async () => {
    expect(await last('open', () => true)).toMatchObject({ values: [1.5, -3, 1] })
    await peer.tell('write', { name: 'pressure', value: 2.5 })
    await peer.tell('write', { name: 'count', value: -(2 ** 40) })
    const good = await last('open', ({ values }) => values[0] === 2.5 && values[1] !== -3)
    expect(good).toMatchObject({ values: [2.5, -(2 ** 40), 1] })
    expect(good.degraded).toBeUndefined()
    await peer.tell('write', { name: 'pressure', value: 99, status: 'BadSensorFailure' })
    expect(await last('open', ({ degraded }) => degraded !== undefined)).toMatchObject({
      values: [2.5, -(2 ** 40), 1],
      degraded: ['pressure'],
    })
    await peer.tell('write', { name: 'pressure', value: 98, status: 'UncertainLastUsableValue' })
    await peer.tell('write', { name: 'pressure', value: 3.5 })
    expect((await last('open', ({ degraded }) => degraded === undefined)).values[0]).toBe(3.5)

    await peer.tell('stop')
    // Without the server nothing holds any more: samples end instead of repeating what was.
    const counts: number[] = []
    await until(
      async () => counts.push((await kept('open')).length),
      () => counts.length > 20 && counts.at(-1) === counts.at(-20),
    )
    const before = (await kept('open')).length
    await peer.tell('start')
    await until(
      async () => (await kept('open')).length,
      (number) => number > before,
    )
    expect(await last('open', () => true)).toMatchObject({ values: [1.5, -3, 1] })
    expect((await kept('open')).some(({ values }) => values[0] >= 98)).toBe(false)
  })
})
