import { readFile } from 'node:fs/promises'
import { type CertifyResult, certify } from '@pb-oel/core'
import { DataError, readChecks } from '@pb-oel/lab'
import { Command } from 'commander'
import { integer, number } from '../arguments.ts'
import { count } from '../text-table.ts'

interface CertifyCommandOptions {
  samples: number
  floor?: number
  confidence?: number
  target?: number
  wrong?: number
  wrongAtMost?: number
  json?: boolean
}

/** `pb-oel certify <checks.csv>`: what accuracy random checks certify, for any model. */
export function certifyCommand(): Command {
  return new Command('certify')
    .description('say what accuracy random checks certify, and how many more a target needs')
    .argument('<checks.csv>', 'one row per check with the columns probability and right (1 or 0)')
    .requiredOption('--samples <n>', 'number of samples the checks were drawn from', integer(1, 2 ** 53 - 1))
    .option('--floor <π>', 'smallest probability of a check (default: the smallest in the file)', number(1e-9, 1))
    .option('--confidence <share>', 'probability with which the statement is true', number(0.5, 0.999999), 0.95)
    .option('--target <accuracy>', 'accuracy that is wanted', number(1e-9, 1))
    .option('--wrong <share>', 'known share of answers that are wrong by mistake', number(0, 0.4))
    .option('--wrong-at-most <share>', 'largest share of answers that are wrong by mistake', number(0, 0.4))
    .option('--json', 'print one JSON document on stdout')
    .action(run)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel certify checks.csv --samples 30000
  $ pb-oel certify checks.csv --samples 30000 --target 0.99 --confidence 0.99 --json`,
    )
}

async function run(path: string, { json, ...options }: CertifyCommandOptions): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new DataError(path, error.code === 'ENOENT' ? 'there is no such file' : error.message)
  })
  const result = certify(readChecks(text, path), options)
  console.log(json ? JSON.stringify(result) : inWords(result))
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
