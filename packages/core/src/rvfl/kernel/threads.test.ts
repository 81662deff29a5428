import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Random } from '../../math/random.ts'
import { StateWriter } from '../../state/state-io.ts'
import { createKernel } from './create.ts'
import { DOUBLE_WASM } from './double.wasm.ts'
import type { RvflKernel } from './kernel.ts'
import { drawWeights, shapeOf } from './testing/random-kernel.ts'
import type { ThreadTask } from './threads.ts'
import { forSharedMemory } from './wasm.ts'
import { fromHex } from './web-assembly.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const shape = shapeOf({ experts: 7, channels: 6, nodes: 30, levels: 3, forgetting: 0.999 })

describe('threads', () => {
  it.each(['double', 'single'] as const)('give the bits of one thread in %s precision', async (precision) => {
    const [alone, together] = [1, 3].map((threads) => drawWeights(createKernel(shape, { precision, threads })))
    const random = new Random(31, 'samples')
    const learn = (count: number) => {
      for (let n = 0; n < count; n++) {
        const z = Float64Array.from({ length: 6 }, () => random.normal())
        const targets = Float64Array.from({ length: 21 }, () => random.integer(2))
        for (const kernel of [alone, together]) {
          kernel.forward(z)
          // As a bank does when a network has drifted: all but one, and this one alone.
          kernel.update(targets, 0, n % 7)
          kernel.update(targets, n % 7, 7)
        }
      }
    }
    // Some updates before the other threads have started, and many after.
    learn(50)
    await setTimeout(300)
    learn(2000)
    expect(stateOf(together)).toEqual(stateOf(alone))
  })

  it('are no more than networks, share the memory, and name themselves when one ends', async () => {
    const few = shapeOf({ ...shape, experts: 3 })
    const started: { worker: Worker; task: ThreadTask; file: URL; flags: unknown; unref: boolean }[] = []
    class Noted extends Worker {
      constructor(file: URL, options: WorkerOptions) {
        super(file, options)
        started.push({ worker: this, task: options.workerData, file, flags: options.execArgv, unref: false })
      }

      override unref(): void {
        started[started.length - 1].unref = true
        super.unref()
      }
    }
    const { getBuiltinModule } = process
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) => ({
      ...getBuiltinModule(name),
      Worker: Noted,
    })) as never)
    const ends = vi.spyOn(FinalizationRegistry.prototype, 'register')
    const start = (threads: number) => {
      started.length = 0
      return createKernel(few, { threads })
    }
    start(1)
    expect(started.length).toBe(0)
    const kernel = start(9)
    expect(started.length).toBe(2)
    for (const { task, unref, file, flags, worker } of started) {
      expect([unref, task.memory.buffer]).toEqual([true, expect.any(SharedArrayBuffer)])
      expect(task.turns).toBe(started[0].task.turns)
      // The flags of the program that starts it may be ones that a thread does not take.
      expect([file.href, flags]).toEqual([new URL('./thread.ts', import.meta.url).href, []])
      // It ends with its kernel.
      expect(ends.mock.calls).toContainEqual([kernel, worker])
    }
    const [{ worker, task }] = started
    // Several networks are a turn, one is not.
    const alone = drawWeights(createKernel(few))
    const taken = [drawWeights(kernel), alone].map((one) => {
      const update = (first?: number, last?: number) => {
        one.update(new Float64Array(9).fill(1), first, last)
        return Atomics.load(task.turns, 0)
      }
      one.forward(new Float64Array(6).fill(1))
      return [update(1), update(0, 1), update(2, 3), update()]
    })
    expect([taken[0], stateOf(kernel)]).toEqual([[1, 1, 1, 2], stateOf(alone)])
    expect(() => worker.emit('error', new Error('out of memory'))).toThrow(
      'option threads is 3; it must be 1 here: a thread ended with "out of memory"',
    )
    await Promise.all(started.map(({ worker }) => worker.terminate()))
  })

  it('do not keep a process alive', () => {
    const program = `
      import { createKernel } from ${JSON.stringify(new URL('./create.ts', import.meta.url).href)}
      const kernel = createKernel(${JSON.stringify(shape)}, { threads: 4 })
      kernel.forward(new Float64Array(6).fill(1))
      kernel.update(new Float64Array(21).fill(1))
      await new Promise((done) => setTimeout(done, 200))
      kernel.update(new Float64Array(21).fill(1))
      console.log(kernel.outputs.length)
    `
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 200_000 })
    expect(output.toString().trim()).toBe('21')
  })

  it('are left out where the engine has none', () => {
    vi.stubGlobal('process', undefined)
    const kernel = drawWeights(createKernel(shape, { threads: 4 }))
    vi.unstubAllGlobals()
    kernel.forward(new Float64Array(6).fill(1))
    kernel.update(new Float64Array(21).fill(1))
    expect(kernel.outputWeights(6).some((w) => w !== 0)).toBe(true)
  })

  it('are 1 … 64', () => {
    for (const threads of [0, 1.5, 65]) expect(() => createKernel(shape, { threads })).toThrow('threads')
  })
})

it('a module for shared memory differs from the other in one byte', () => {
  const bytes = fromHex(DOUBLE_WASM)
  const shared = forSharedMemory(bytes)
  expect(bytes.filter((byte, i) => byte !== shared[i])).toEqual(Uint8Array.of(1))
  const run = (module: Uint8Array, isShared: boolean) => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: isShared })
    return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(module)), { env: { memory } })
  }
  expect(run(shared, true)).toBeInstanceOf(WebAssembly.Instance)
  expect(() => run(shared, false)).toThrow('shared')
})

function stateOf(kernel: RvflKernel): Uint8Array {
  const writer = new StateWriter()
  kernel.transfer(writer)
  return writer.finish()
}
