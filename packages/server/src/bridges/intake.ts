import type { GivenSample } from '@pb-oel/protocol'
import type { Service } from '../service/service.ts'

/** Where the samples of bridges go: the systems of this server, or of whichever worker has them. */
export interface Intake {
  /** The channels of a system, or of `undefined` when there is none; rejects while that is not known. */
  channels(system: string): Promise<readonly string[]>
  /** Writes samples in order; resolves when they are on disk, with what became of each. */
  samples(system: string, samples: readonly GivenSample[], by: string): Promise<Taken[]>
}

/** What became of a sample: taken, taken before, or not taken. */
export type Taken = 'accepted' | 'repeated' | Error

/** The systems of this server. */
export function localIntake(service: Service): Intake {
  return {
    channels: async (system) => {
      await service.settled(system)
      return service.get(system).channels
    },
    samples: (system, samples, by) =>
      Promise.all(
        samples.map((sample) =>
          service.sample(system, sample, by).then(
            ({ repeated }): Taken => (repeated ? 'repeated' : 'accepted'),
            (error: Error) => error,
          ),
        ),
      ),
  }
}
