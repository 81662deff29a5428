import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { replaySystem } from '../replay/replay.ts'
import { detail } from '../views/system.ts'
import { Service } from './service.ts'

describe.each(['pb-oel', 'pb-oel-plus'])('a new system with %s', (method) => {
  it('stays right after one labelled [1e6, -1e6] in channels of 0 to 2', async () => {
    const log = new MemoryLog()
    const service = await Service.open(log)
    const system = { channels: ['a', 'b'], levels: ['safe', 'unsafe'], method, options: { networks: 5 } }
    await service.create('plant', system, 'test')
    let right = 0
    for (let t = 0; t < 500; t++) {
      const level = (t * 7) % 5 < 2 ? 0 : 1
      const spread = ((t * 37) % 90) / 100
      const outlier = t === 300
      const values = outlier ? [1e6, -1e6] : [1.1 * level + spread, 1.1 * level + 0.9 - spread]
      const { assessment, likely } = await service.sample('plant', { values }, 'sensor')
      if (t > 300 && t <= 400 && likely === level) right++
      await service.feedback('plant', { assessment, kind: 'label', level: outlier ? 0 : level }, 'eva')
    }
    expect(right).toBeGreaterThan(97)
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
  })

  it('records how it scales, and takes another way when told to', async () => {
    const service = await Service.open(new MemoryLog())
    const shape = { channels: ['a'], levels: ['safe', 'unsafe'], method }
    const optionsOf = async (id: string) => (await service.get(id).read(detail(0))).configuration.options
    await service.create('usual', shape, 'test')
    await service.create('plain', { ...shape, options: { scaling: 'running' } }, 'test')
    expect(await optionsOf('usual')).toMatchObject({ scaling: 'robust' })
    expect(await optionsOf('plain')).toMatchObject({ scaling: 'running' })
    await service.create('trees', { ...shape, method: 'majority' }, 'test')
    expect(await optionsOf('trees')).not.toHaveProperty('scaling')
  })
})

describe('a system that is too large', () => {
  const channels = Array.from({ length: 10_000 }, (_, i) => `c${i}`)
  const huge = { channels, levels: ['safe', 'unsafe'] }

  it('is refused before it takes any memory, with the figure', async () => {
    const service = await Service.open(new MemoryLog())
    const before = process.memoryUsage().arrayBuffers
    await expect(service.create('huge', huge, 'test')).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/takes about 4[0-9]{3} MB of memory .* this server allows 256 MB/),
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6)
    expect(service.list()).toEqual([])
    // The channels alone are no harm.
    await service.create('wide', { ...huge, method: 'majority', options: { pending: 100 } }, 'test')
  })

  it('is allowed by a setting', async () => {
    const small = { channels: ['a', 'b'], levels: ['safe', 'unsafe'], method: 'pb-oel' }
    const strict = await Service.open(new MemoryLog(), { systemMegabytes: 0.1 })
    await expect(strict.create('small', small, 'test')).rejects.toThrow('allows 0.1 MB')
    const open = await Service.open(new MemoryLog(), { systemMegabytes: 2 })
    await open.create('small', small, 'test')
  })
})
