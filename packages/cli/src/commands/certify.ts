import { readFile } from 'node:fs/promises'
import { type CertifyResult, certify, OptionError } from '@pb-oel/core'
import { DataError, readChecks } from '@pb-oel/lab'
import type { SystemCertificate } from '@pb-oel/server'
import { Command } from 'commander'
import { integer, number } from '../arguments.ts'
import { print } from '../experiments.ts'
import { isStore, openReader, systemsOf } from '../stores.ts'
import { count } from '../text-table.ts'

/** Options that only a file of checks needs: a log has all of this. */
interface CheckOptions {
  samples?: number
  floor?: number
  wrong?: number
  wrongAtMost?: number
}

interface CertifyCommandOptions extends CheckOptions {
  confidence?: number
  target?: number
  system?: string
  cluster?: string
  json?: boolean
}

/** `pb-oel certify <store|checks.csv>`: what accuracy random checks certify, for our systems and for any model. */
export function certifyCommand(): Command {
  return new Command('certify')
    .description('say what accuracy random checks certify, and how many more a target needs')
    .argument(
      '<store|checks.csv>',
      'file of a store or nats://… of a cluster; or one row per check: probability, right (1 or 0)',
    )
    .option('--samples <n>', 'csv: number of samples the checks were drawn from', integer(1, 2 ** 53 - 1))
    .option('--system <id>', 'store: this system only (default: all)')
    .option('--cluster <name>', 'store: which cluster of these NATS servers (default: pb-oel)')
    .option('--floor <π>', 'csv: smallest probability of a check (default: the smallest in the file)', number(1e-9, 1))
    .option(
      '--confidence <share>',
      'probability with which the statement is true (default: 0.95, or as configured)',
      number(0.5, 0.999999),
    )
    .option('--target <accuracy>', 'accuracy that is wanted', number(1e-9, 1))
    .option('--wrong <share>', 'csv: known share of answers that are wrong by mistake', number(0, 0.4))
    .option('--wrong-at-most <share>', 'csv: largest share of answers that are wrong by mistake', number(0, 0.4))
    .option('--json', 'print one JSON document on stdout')
    .action(run)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel certify plant.db --target 0.99
  $ pb-oel certify checks.csv --samples 30000
  $ pb-oel certify checks.csv --samples 30000 --target 0.99 --confidence 0.99 --json`,
    )
}

async function run(source: string, { json, ...options }: CertifyCommandOptions): Promise<void> {
  if (await isStore(source)) {
    const systems = await certifyStore(source, options)
    print(json, { systems }, () => systems.map(({ system, ...result }) => `${system}: ${inWords(result)}`))
    return
  }
  const result = await certifyChecks(source, options)
  print(json, result, () => [inWords(result)])
}

async function certifyStore(
  store: string,
  { confidence, target, system, cluster, ...checks }: CertifyCommandOptions,
): Promise<SystemCertificate[]> {
  const given = Object.entries(checks).find(([, value]) => value !== undefined)
  if (given) throw new OptionError(given[0], given[1], 'left out for a store, whose log tells it')
  const { certifySystem } = await import('@pb-oel/server')
  const log = await openReader(store, cluster)
  try {
    const certificates: SystemCertificate[] = []
    for (const id of await systemsOf(log, store, system)) {
      certificates.push(await certifySystem(log, id, { confidence, target }))
    }
    return certificates
  } finally {
    await log.close()
  }
}

async function certifyChecks(
  path: string,
  { samples, system, cluster, ...options }: CertifyCommandOptions,
): Promise<CertifyResult> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new DataError(path, error.code === 'ENOENT' ? 'there is no such file' : error.message)
  })
  const given = Object.entries({ system, cluster }).find(([, value]) => value !== undefined)
  if (given) throw new OptionError(given[0], given[1], 'left out for a file of checks, which has no systems')
  if (samples === undefined) throw new DataError(path, '--samples is missing: how many samples the checks came from')
  return certify(readChecks(text, path), { ...options, samples })
}

function inWords({ samples, checks, wrong, confidence, certified, target, moreChecks }: CertifyResult): string {
  const lines = [
    `${count(checks)} of ${count(samples)} samples were checked, ${count(wrong)} of the checks found a mistake.`,
    `With ${Number((100 * confidence).toFixed(4))} % confidence the accuracy over all samples is at least ${shown(certified)}.`,
  ]
  if (target === undefined) return lines.join('\n')
  if (moreChecks === 0) lines.push(`The target of ${target} is certified.`)
  else if (moreChecks === null || moreChecks === undefined) {
    lines.push(`No number of further checks like these certifies ${target}: too many found a mistake.`)
  } else {
    const more = moreChecks === 1 ? '1 more check' : `${count(moreChecks)} more checks`
    lines.push(`${more} would certify ${target}, if checks stay as frequent and mistakes as rare.`)
  }
  return lines.join('\n')
}

/** Rounded down: more than what is shown is certified, never less. */
function shown(accuracy: number): string {
  return (Math.floor(accuracy * 1e4) / 1e4).toFixed(4)
}
