import type { AnswerKind, AssessmentReceipt, SystemDetail } from '@pb-oel/protocol'
import type { TestServer } from './page.ts'

const LEVELS = ['safe', 'warning', 'danger']

/** What the reviewer of a test says of an assessment; nothing, when it returns `undefined`. */
type Reviewer = (assessment: AssessmentReceipt, number: number) => { kind: AnswerKind; level?: number } | undefined

/** A system of one channel and three levels beside the dive, with answers as a test wants them. */
export class SmallSystem {
  readonly id: string
  private readonly server: TestServer
  private samples = 0

  private constructor(server: TestServer, id: string) {
    this.server = server
    this.id = id
  }

  static async create(server: TestServer, id: string, more: object = {}): Promise<SmallSystem> {
    await server.call('POST', '/v1/systems', {
      id,
      title: `System ${id}`,
      channels: ['depth'],
      levels: LEVELS,
      ...more,
    })
    return new SmallSystem(server, id)
  }

  /** Sends so many samples. The reviewer answers each before the next one comes. */
  async send(samples: number, review: Reviewer = () => undefined): Promise<void> {
    for (let i = 0; i < samples; i++) {
      const values = [Math.sin(this.samples++)]
      const receipt: AssessmentReceipt = await this.call('POST', '/samples', { values })
      const answer = review(receipt, i)
      if (answer) await this.call('POST', '/feedback', { assessment: receipt.assessment, ...answer })
    }
  }

  detail(): Promise<SystemDetail> {
    return this.call('GET', '')
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  call<T = any>(method: string, path: string, body?: object): Promise<T> {
    return this.server.call(
      method,
      `/v1/systems/${this.id}${path}`,
      body && { ...body, ...(path === '/feedback' && { by: 'tester' }) },
    )
  }
}
