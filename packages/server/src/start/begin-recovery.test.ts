import { encodeBody } from '@pb-oel/protocol'
import { expect, it } from 'vitest'
import { configure } from '../fold/configure.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { Service } from '../service/service.ts'
import { PLANT } from '../testing/local-server.ts'
import { beginRecovery } from './begin-recovery.ts'
import type { Parts } from './parts.ts'

/** A log of one system, whose configuration and second record are given, and the parts that are to rebuild it. */
async function begun(more: object, second?: string) {
  const { id, ...given } = PLANT
  const log = new MemoryLog()
  const created = encodeBody<'created'>({ configuration: { ...configure(id, given), ...more }, by: 'test' })
  await log.append(id, 1, [{ time: 1, kind: 'created', body: created }])
  if (second !== undefined) await log.append(id, 2, [{ time: 2, kind: 'sample', body: second }])
  const service = Service.empty(log)
  const [told, metrics] = [[] as [object, string][], new Metrics()]
  const parts = { log, service, metrics, options: {}, ending: new AbortController(), stopping: false }
  const warn: Parts['warn'] = (fields, text) => void told.push([fields, text])
  const troubles = async () => Number(/^pb_oel_troubles_total (\d+)$/m.exec(await metrics.text())?.[1])
  return { parts: { ...parts, warn } as unknown as Parts, service, told, troubles }
}

it('a system that cannot be rebuilt is a trouble that is told by its name, and so is a damaged part of a log', async () => {
  const { parts, service, told, troubles } = await begun({}, '{')
  const closers: (() => Promise<unknown>)[] = []
  await (await beginRecovery(parts, closers)).finished
  await closers[0]()
  expect(told).toEqual([
    [{ system: 'plant', reason: expect.any(String) }, expect.stringContaining('cannot be rebuilt')],
  ])
  expect(await troubles()).toBe(1)
  service.onDamage('a torn page', 'other')
  expect(told[1]).toEqual([{ system: 'other', reason: 'a torn page' }, 'a part of the log is damaged'])
  expect(await troubles()).toBe(2)
})

it('a system whose module is missing ends the start, and no system is rebuilt', async () => {
  const { parts, service } = await begun({ method: './missing.ts' })
  await expect(beginRecovery(parts, [])).rejects.toThrow('name its modules with --module')
  expect(service.list()).toEqual([])
})
