import { bestPoint, type Landscape, landscapeExperiment, landscapes, regions, streamLabel } from '@pb-oel/lab'
import { Command } from 'commander'
import { numbers, STREAM_ARGUMENT } from '../arguments.ts'
import { print, runSet, type StreamExperimentOptions, streamChoices, withStreamOptions } from '../experiments.ts'
import { decimals, textTable } from '../text-table.ts'

interface LandscapeOptions extends StreamExperimentOptions {
  c?: number[]
  alpha?: number[]
  rho?: number[]
}

/** `pb-oel landscape <stream>`: the paper's Fig. 3. */
export function landscapeCommand(): Command {
  const command = new Command('landscape')
    .description('accuracy of PB-OEL over scaling factor c and restart exponent α: Fig. 3 of the paper')
    .argument('<stream>', STREAM_ARGUMENT)
    .option('--c <values>', 'scaling factors (default: 0.05,0.1,0.5,1,5,10)', numbers(1e-9, 100))
    .option('--alpha <values>', 'restart exponents (default: 0,0.1,…,1)', numbers(0, 1))
    .option('--rho <shares>', 'shares of full labels (default: 0,0.1,0.5)', numbers(0, 1))
  return withStreamOptions(command, 1)
    .action(landscape)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel landscape dive --out report
  $ pb-oel landscape dive:samples=6000 --c 0.05,0.5,5 --alpha 0,0.5,0.8,1 --rho 0`,
    )
}

async function landscape(address: string, options: LandscapeOptions): Promise<void> {
  const { c, alpha, rho, repeats, seed } = options
  const grid = { ...(c && { c }), ...(alpha && { alpha }), ...(rho && { rho }), repeats, seed }
  const part = landscapeExperiment(streamChoices([address], options), grid)
  const [results] = await runSet(
    { title: `Exploration and restarts on ${streamLabel(address)}`, parts: [part] },
    options,
  )
  const panels = landscapes(results)
  const document = {
    stream: address,
    landscapes: panels.map((panel) => ({ rho: panel.rho, points: panel.points, best: bestPoint(panel) })),
  }
  print(options.json, document, () => panels.flatMap(panelText))
}

function panelText(panel: Landscape): string[] {
  const { rho, cs, alphas, points } = panel
  const best = bestPoint(panel)
  const { recommended, capped } = regions(panel)
  const cell = (c: number, alpha: number) => {
    const point = points.find((point) => point.c === c && point.alpha === alpha)
    return point ? `${point.accuracy.toFixed(3)}${point.capped ? '!' : point === best ? '*' : ' '}` : '–'
  }
  return [
    `ρ = ${rho}`,
    textTable(
      ['c \\ α', ...alphas.map((alpha) => `${alpha} `)],
      cs.map((c) => [String(c), ...alphas.map((alpha) => cell(c, alpha))]),
    ),
    `* best (c = ${best.c}, α = ${best.alpha}); region of the paper (c ≤ 0.5, α in [0.5, 0.9]) ${decimals(recommended)}; ! γ cut to 1, mean ${decimals(capped)}`,
    '',
  ]
}
