/** Exploration strategies of Vowpal Wabbit's contextual bandits. */
const STRATEGIES = [
  '--epsilon 0.02',
  '--epsilon 0.05',
  '--first 100',
  '--bag 5',
  '--bag 5 --greedify',
  '--bag 10 --greedify',
  '--cover 5',
  '--softmax --lambda 10',
  '--softmax --lambda 50',
  '--squarecb --gamma_scale 100',
  '--squarecb --gamma_scale 1000',
  '--regcb --mellowness 0.1',
  '--regcb --mellowness 0.01',
  '--regcbopt --mellowness 0.1',
  '--regcbopt --mellowness 0.01',
  '--synthcover',
  '--rnd 2',
]

/** Learning rates: the default, which decays, a higher one, and constant ones for streams that change. */
const RATES = ['', '-l 2', '-l 0.1 --power_t 0', '-l 0.02 --power_t 0']
/** Channels as they are or with all products of two. */
const FEATURES = ['', '-q ::']
/** Raw, or standardised with the whole stream's mean and deviation, which only hindsight can know. */
const SCALINGS = ['raw', 'z']

/** Every setting tried: scaling, then arguments. */
export function vwSettings(quick: boolean): string[] {
  const rates = quick ? RATES.slice(0, 1) : RATES
  return SCALINGS.flatMap((scaling) =>
    STRATEGIES.flatMap((strategy) =>
      rates.flatMap((rate) =>
        FEATURES.map((features) => [scaling, '--cb_explore_adf', strategy, rate, features].filter(Boolean).join(' ')),
      ),
    ),
  )
}
