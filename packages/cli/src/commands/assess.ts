import { readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { LabelledSample } from '@pb-oel/core'
import { DataError, loadExtensions, modulesWithin } from '@pb-oel/lab'
import { Command, InvalidArgumentError } from 'commander'
import { integer, number, setting } from '../arguments.ts'

interface Options {
  levels: string[]
  channels?: string[]
  method: string
  seed: number
  set?: Record<string, unknown>
  missing: 'hold' | 'reject'
  rho?: number
  horizon?: number
  warmUp?: string
}

/** `pb-oel assess`: the assessor in a pipe. */
export function assessCommand(): Command {
  return new Command('assess')
    .description('assess samples from stdin, one JSON document per line, answers on stdout; nothing is kept')
    .requiredOption('--levels <names>', 'names of the levels, safest first, or how many there are', levels)
    .option('--channels <names>', 'names of the channels (default: those of the first sample)', names)
    .option('--method <name>', 'a method, or the path of a module', 'pb-oel-plus')
    .option('--seed <n>', 'seed of all randomness', integer(0, 2 ** 52), 1)
    .option('--set <name=value>', 'an option of the method; may be repeated', setting)
    .option('--missing <rule>', 'a channel without a value: reject the sample, or hold the last value', 'reject')
    .option(
      '--rho <share>',
      'learn as `pb-oel run` does: this share of the labels is learned, of the others only right or wrong',
      number(0, 1),
    )
    .option('--horizon <n>', 'with --rho: number of samples to come', integer(1, 2 ** 52))
    .option('--warm-up <file>', 'with --rho: labelled samples to start from, a JSON list of { "x": […], "level": 0 }')
    .action(run)
    .addHelpText(
      'after',
      `
Each line is a sample, { "values": [1, 2] } or { "values": { "a": 1, "b": 2 } }, or an answer to an earlier one,
{ "assessment": 0, "kind": "confirm" | "reject" | "label", "level": 1 }.

Examples:
  $ echo '{"values":[0.2,1.4]}' | pb-oel assess --levels 3
  $ labelled | pb-oel assess --levels 3 --rho 0.05 --horizon 30000 --warm-up first.json
  $ sensor | pb-oel assess --levels safe,unsafe --channels pressure,temperature --missing hold | alarm`,
    )
}

async function run(options: Options): Promise<void> {
  const { levels, channels, method, seed, set, missing, rho, horizon, warmUp } = options
  if (rho === undefined && (horizon !== undefined || warmUp !== undefined)) {
    throw new DataError(warmUp === undefined ? '--horizon' : '--warm-up', 'expected --rho beside it')
  }
  if (missing !== 'hold' && missing !== 'reject') throw new DataError('--missing', 'expected hold or reject')
  const { assessLines } = await import('@pb-oel/server')
  const extensions = await loadExtensions(modulesWithin([method, set]))
  const given = { levels, channels, method, seed, options: set ?? {}, missing }
  const answers = assessLines(
    process.stdin,
    given,
    extensions,
    rho === undefined ? undefined : { rho, horizon, warmUp: warmUpOf(warmUp) },
  )
  await pipeline(answers, process.stdout, { end: false })
}

function warmUpOf(file: string | undefined): LabelledSample[] | undefined {
  if (file === undefined) return undefined
  let list: unknown
  try {
    list = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new DataError(file, (error as Error).message)
  }
  if (!Array.isArray(list)) throw new DataError(file, 'expected a JSON list of { "x": […], "level": 0 }')
  return list
}

function names(text: string): string[] {
  const list = text.split(',').map((name) => name.trim())
  if (list.some((name) => name === '')) throw new InvalidArgumentError('Expected names separated by commas.')
  return list
}

function levels(text: string): string[] {
  if (!/^\d+$/.test(text)) {
    const list = names(text)
    if (list.length < 2) throw new InvalidArgumentError('Expected at least two levels.')
    return list
  }
  const count = integer(2, 100)(text)
  return Array.from({ length: count }, (_, level) => `level ${level}`)
}
