/** A server under honest load and under all abuse at once; see HELP below and docs/operations. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { thisMachine } from '@pb-oel/lab'
import { numberArgument } from '../number-argument.ts'
import { mixedLoad } from './mixed-load.ts'

const HELP = `Runs a server under load and abuse at once, and checks that nothing is lost, doubled or grows.

  node bench/mixed-load/main.ts                      two hours
  node bench/mixed-load/main.ts --minutes 3          a first look
  node bench/mixed-load/main.ts --save report.json   also stores the figures, with machine and date

  --minutes n   how long (default 120)
  --systems n   how many systems (default 20)
  --rate n      samples per second of each (default 10)
  --threads n   threads of the server (default: as the server has it)
  --help        this text

Abuse: dripping requests, readers that do not read, readers of everything, wrong tokens, old states, back-ups,
nonsense over HTTP and, where mosquitto is installed, over MQTT. Followers of events break off and come back.
Exit code 0 when all is well, 1 when anything is wrong.`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    systems: { type: 'string', default: '20' },
    rate: { type: 'string', default: '10' },
    threads: { type: 'string' },
    save: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${HELP}\n`)
else {
  const report = await mixedLoad({
    minutes: numberArgument(values, 'minutes', 0.1),
    systems: numberArgument(values, 'systems', 1),
    rate: numberArgument(values, 'rate', 0.1),
    ...(values.threads !== undefined && { threads: numberArgument(values, 'threads', 0) }),
    onProgress: (text) => process.stderr.write(`${text}\n`),
  })
  const stored = { date: new Date().toISOString(), machine: thisMachine(), ...report }
  process.stdout.write(`${JSON.stringify(stored, null, 2)}\n`)
  if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(stored, null, 2)}\n`)
  process.exit(report.wrong.length === 0 ? 0 : 1)
}
