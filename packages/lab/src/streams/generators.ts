import {
  abruptDrift,
  checkerboard,
  dive,
  gradualDrift,
  hyperplane,
  led,
  recurringDrift,
  type Stream,
  sea,
  waveform,
} from '@pb-oel/core/streams'

/** A stream that ships with the product. */
export interface Generator {
  readonly name: string
  readonly summary: string
  /** Names of the settings its address may carry. */
  readonly settings: readonly string[]
  open(settings: Record<string, number>): Stream
}

/** Every generator. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'dive',
    summary: 'a simulated dive of a manned submersible: 24 channels, 3 levels, concept drift (30,000 samples)',
    settings: ['seed', 'samples', 'labelNoise', 'sharpness'],
    open: dive,
  },
  {
    name: 'sea',
    summary: 'SEA concepts: 3 channels, 2 levels, a threshold on the sum of two',
    settings: ['seed', 'samples', 'concept', 'noise'],
    open: sea,
  },
  {
    name: 'hyperplane',
    summary: 'a hyperplane that moves a little with every sample: 10 channels, 2 levels',
    settings: ['seed', 'samples', 'channels', 'drifting', 'magnitude', 'turn', 'noise'],
    open: hyperplane,
  },
  {
    name: 'checkerboard',
    summary: 'a checkerboard that turns: 2 channels, 2 levels',
    settings: ['seed', 'samples', 'side', 'turns', 'noise'],
    open: checkerboard,
  },
  {
    name: 'led',
    summary: 'a seven-segment display with faults: 24 channels, 10 levels',
    settings: ['seed', 'samples', 'noise', 'irrelevant', 'swapped'],
    open: led,
  },
  {
    name: 'waveform',
    summary: 'mixtures of three waves in noise: 21 channels, 3 levels',
    settings: ['seed', 'samples', 'irrelevant', 'concept'],
    open: waveform,
  },
]

/** A way to make drift from two streams; its address is `name:settings+first+second`. */
export interface DriftWrapper {
  readonly name: string
  readonly summary: string
  readonly settings: readonly string[]
  open(first: Stream, second: Stream, settings: Record<string, number>): Stream
}

/** Every kind of drift. */
export const DRIFTS: readonly DriftWrapper[] = [
  {
    name: 'abrupt',
    summary: 'from one stream to another at once: abrupt:at=15000+sea:concept=2+sea:concept=3',
    settings: ['at'],
    open: abruptDrift,
  },
  {
    name: 'gradual',
    summary: 'from one stream to another little by little: gradual:width=3000+led+led:swapped=5',
    settings: ['at', 'width', 'seed'],
    open: gradualDrift,
  },
  {
    name: 'recurring',
    summary: 'to and fro between two streams: recurring:period=5000+waveform+waveform:concept=1',
    settings: ['period'],
    open: recurringDrift,
  },
]
