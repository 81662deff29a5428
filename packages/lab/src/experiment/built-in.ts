import { METHODS } from '@pb-oel/core'
import type { Experiment, ExperimentStream, MethodChoice } from './experiment.ts'

/** Shares of full labels of the paper's Table I. */
const PAPER_RHO: readonly number[] = [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.6, 1]

/** Grid of the paper's Fig. 3. */
const LANDSCAPE = {
  c: [0.05, 0.1, 0.5, 1, 5, 10],
  alpha: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  rho: [0, 0.1, 0.5],
} as const

/** The three policies whose bounds the paper compares: Theorem 1, Corollary 2, Corollary 1. */
const POLICIES: readonly string[] = ['pb-oel-standard', 'pb-oel-scaled', 'pb-oel']

type Streams = readonly (string | ExperimentStream)[]
type Choice<T extends keyof Experiment> = Partial<Pick<Experiment, T>>

/**
 * Methods of the table. Variants of PB-OEL have a figure of their own; a method for few levels does not fit every
 * stream.
 */
export function tableMethods(): string[] {
  return METHODS.filter(({ variantOf, levels }) => variantOf === undefined && levels === undefined).map(
    ({ name }) => name,
  )
}

/** Table I with Figs. 4 and 5: methods × ρ. */
export function tableExperiment(
  streams: Streams,
  choice: Choice<'methods' | 'rho' | 'repeats' | 'seed' | 'people'> = {},
): Experiment {
  return {
    title: 'Accuracy of every method',
    streams,
    methods: tableMethods(),
    rho: PAPER_RHO,
    show: ['table', 'curves'],
    ...choice,
  }
}

/** Methods of a suite: those of the table but for `majority`, which is never first. */
export function suiteMethods(): string[] {
  return tableMethods().filter((name) => name !== 'majority')
}

/** Methods × ρ over many streams: ranks, critical difference, worst gap. */
export function suiteExperiment(
  streams: Streams,
  choice: Choice<'methods' | 'rho' | 'repeats' | 'seed'> = {},
): Experiment {
  return {
    title: 'Every method on every stream',
    streams,
    methods: suiteMethods(),
    rho: [0, 0.05, 1],
    show: ['suite', 'table'],
    ...choice,
  }
}

/** Fig. 3: PB-OEL over c × α. */
export function landscapeExperiment(
  streams: Streams,
  grid: { c?: readonly number[]; alpha?: readonly number[] } & Choice<'rho' | 'repeats' | 'seed'> = {},
): Experiment {
  const { c = LANDSCAPE.c, alpha = LANDSCAPE.alpha, ...choice } = grid
  const methods: MethodChoice[] = [{ method: 'pb-oel' }]
  return {
    title: 'Exploration and restarts',
    streams,
    methods,
    options: { c, alpha },
    rho: LANDSCAPE.rho,
    repeats: 1,
    show: ['landscape'],
    ...choice,
  }
}

/** What each policy was promised and what it reached. */
export function boundsExperiment(
  streams: Streams,
  choice: Choice<'methods' | 'rho' | 'repeats' | 'seed'> = {},
): Experiment {
  return { title: 'Guarantee and reality', streams, methods: POLICIES, rho: [0, 0.1, 1], show: ['bounds'], ...choice }
}

/** All of the paper's evaluation. */
export function reproduction(streams: Streams): Experiment[] {
  return [tableExperiment(streams), landscapeExperiment(streams), boundsExperiment(streams)]
}

/** The same in small, for short streams: fewer shares of labels, two runs, a coarse grid. */
export function quickReproduction(streams: Streams): Experiment[] {
  return [
    tableExperiment(streams, { rho: [0, 0.01, 0.05, 0.1, 1], repeats: 2 }),
    landscapeExperiment(streams, { c: [0.05, 0.5, 5], alpha: [0, 0.25, 0.5, 0.75, 1] }),
    boundsExperiment(streams, { repeats: 2 }),
  ]
}
