import { prepareKernel, type Stream } from '@pb-oel/core'
import { readText } from '../../../../packages/web/src/table/read-text.ts'
import { openTable } from '../file/table.ts'
import type { Job } from './job.ts'
import { FULL_SPEED, type Order, type Report } from './messages.ts'
import { openGenerator } from './open-generator.ts'
import { Run, type Step } from './run.ts'

/** Milliseconds of computing between two reports. */
const SLICE = 80
/** Steps between two looks at the clock. */
const STRIDE = 8

const report = (message: Report): void => postMessage(message)

/** One run: computes in slices, so that orders of the page get in between. */
class Runner {
  private readonly run: Run
  private pace: number
  private paused = false
  private computed = 0
  private reported = 0
  /** Samples that the pace allows and that are still to come. */
  private allowance = 0
  private lastSlice = performance.now()

  constructor(run: Run, pace: number) {
    this.run = run
    this.pace = pace
  }

  setPace(pace: number): void {
    this.pace = pace
    this.allowance = 0
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    this.lastSlice = performance.now()
    this.schedule()
  }

  /** Computes one slice, reports, and comes back unless it is paused, waits for an answer or is done. */
  slice(): void {
    if (this.paused) return
    try {
      const step = this.compute()
      this.send()
      if (step === 'done') report({ kind: 'done' })
      else if (step === 'asks' && this.run.question) {
        this.paused = true
        report({ kind: 'asks', question: this.run.question })
      } else this.schedule()
    } catch (error) {
      report({ kind: 'failed', message: messageOf(error) })
    }
  }

  answer(...[feedback]: Parameters<Run['answer']>): void {
    try {
      this.run.answer(feedback)
      this.resume()
    } catch (error) {
      report({ kind: 'failed', message: messageOf(error) })
    }
  }

  private compute(): Step {
    const start = performance.now()
    this.allowance = Math.min(this.pace, this.allowance + (this.pace * (start - this.lastSlice)) / 1000)
    this.lastSlice = start
    let step: Step = 'went on'
    for (let i = 1; step === 'went on' && this.allowance >= 1; i++) {
      step = this.run.step()
      this.allowance--
      if (i % STRIDE === 0 && performance.now() - start > SLICE) break
    }
    this.computed += performance.now() - start
    return step
  }

  private send(): void {
    const { run } = this
    const points = run.points.slice(this.reported)
    this.reported = run.points.length
    report({ kind: 'progress', figures: run.figures(this.computed / 1000), points, latest: run.latest })
  }

  private schedule(): void {
    // At full speed the next slice follows at once; a slow pace need not wake up more often than people can see.
    if (this.pace === FULL_SPEED) channel.port2.postMessage(undefined)
    else setTimeout(() => this.slice(), SLICE)
  }
}

let runner: Runner | undefined
const channel = new MessageChannel()
channel.port1.onmessage = () => runner?.slice()

async function start(job: Job, pace: number): Promise<void> {
  try {
    await prepareKernel()
    const stream = await open(job)
    const { name, channels, levels, samples } = stream
    report({ kind: 'opened', stream: { name, channels, levels, samples } })
    runner = new Runner(new Run(stream, job), pace)
    runner.slice()
  } catch (error) {
    report({ kind: 'failed', message: messageOf(error) })
  }
}

async function open({ stream }: Job): Promise<Stream> {
  if (stream.kind === 'generator') return openGenerator(stream.address)
  return openTable(await readText(stream.file), stream.columns)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'start') void start(data.job, data.pace)
  else if (data.kind === 'pace') runner?.setPace(data.pace)
  else if (data.kind === 'pause') runner?.pause()
  else if (data.kind === 'resume') runner?.resume()
  else runner?.answer(data.feedback)
})
