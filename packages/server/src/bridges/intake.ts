import type { AnswerReceipt, AssessedSample, GivenAnswer, GivenSample } from '@pb-oel/protocol'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service/service.ts'

/** A sample that was taken, now or before. */
export type TakenSample = AssessedSample & { repeated?: true }

/** Where the samples of bridges go: the systems of this server, or of whichever worker has them. */
export interface Intake {
  /** The channels of a system, or of `undefined` when there is none; rejects while that is not known. */
  channels(system: string): Promise<readonly string[]>
  /** Writes samples in order; resolves when they are on disk, with what became of each. */
  samples(system: string, samples: readonly GivenSample[], by: string): Promise<(TakenSample | Error)[]>
  /** Writes answers in order, likewise; they are of those whom they name, or else of `by`. */
  answers(system: string, answers: readonly GivenAnswer[], by: string): Promise<(AnswerReceipt | Error)[]>
}

/** The store refuses, the system is being rebuilt or has another worker: what was sent is not at fault. */
export function isPassing(outcome: unknown): boolean {
  return outcome instanceof ServiceError && outcome.status >= 500
}

/** The systems of this server. */
export function localIntake(service: Service): Intake {
  const each = <T, R>(entries: readonly T[], write: (entry: T) => Promise<R>) =>
    Promise.all(entries.map((entry) => write(entry).catch((error: Error) => error)))
  return {
    channels: async (system) => {
      await service.settled(system)
      return service.get(system).channels
    },
    samples: (system, samples, by) => each(samples, (sample) => service.sample(system, sample, by)),
    answers: (system, answers, by) => each(answers, (answer) => service.feedback(system, answer, answer.by ?? by)),
  }
}
