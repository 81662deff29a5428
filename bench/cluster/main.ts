/** What a cluster on this machine takes; see HELP below and docs/scale.md. */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { thisMachine } from '@pb-oel/lab'
import { numberArgument } from '../number-argument.ts'
import { Fleet } from './fleet.ts'
import { singlePosts, steadyLines } from './loads.ts'
import { measure, measureTakeovers } from './measure-cluster.ts'

const HELP = `Runs NATS servers and workers on this machine and measures rate, latency and processor time.

  node bench/cluster/main.ts                             60 systems, 90 samples per second each, as streams of lines
  node bench/cluster/main.ts --systems 1000 --rate 2     a fleet of slow systems
  node bench/cluster/main.ts --rate 0                    single posts, each client as fast as it is answered
  node bench/cluster/main.ts --workers 3 --takeovers 5   also kills workers under that load
  node bench/cluster/main.ts --json --save points.json   one JSON document, also stored

  --workers n   workers (default 1)
  --servers n   NATS servers (default 3)
  --systems n   systems like the simulated dive (default 60)
  --rate n      samples per second of each system; 0: single posts without a pause (default 90)
  --share n     of one core that each worker gets, such as 0.12, when measured; 0: no limit (default 0; Linux, root)
  --shards n    shards of the cluster (default 12)
  --takeovers n workers that are killed one after the other under the load (default 0; needs two workers)
  --seconds n   how long it is measured (default 15)
  --snapshot-every n
                records between two saved states of a system (default 2000)
  --help        this text

It needs nats-server and Linux.`

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1' },
    servers: { type: 'string', default: '3' },
    systems: { type: 'string', default: '60' },
    rate: { type: 'string', default: '90' },
    share: { type: 'string', default: '0' },
    shards: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '15' },
    takeovers: { type: 'string', default: '0' },
    'snapshot-every': { type: 'string', default: '2000' },
    json: { type: 'boolean', default: false },
    save: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${HELP}\n`)
else {
  const [rate, seconds, systems] = [
    numberArgument(values, 'rate', 0),
    numberArgument(values, 'seconds'),
    numberArgument(values, 'systems'),
  ]
  const name = rate === 0 ? 'single posts' : `lines, ${rate} per second and system`
  const [load1] = loadavg()
  process.stderr.write(`${systems} systems, ${name}\n`)
  const fleet = await Fleet.start({
    ...{
      workers: numberArgument(values, 'workers'),
      servers: numberArgument(values, 'servers'),
      shards: numberArgument(values, 'shards'),
      systems,
      leaseSeconds: 5,
      snapshotEvery: numberArgument(values, 'snapshot-every'),
    },
    share: numberArgument(values, 'share', 0),
  })
  // Servers and workers are processes of their own: whoever ends this ends them too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void fleet.stop().finally(() => process.exit(130)))
  }
  try {
    fleet.hold()
    const load = rate === 0 ? singlePosts(fleet) : steadyLines(fleet, rate)
    const report = await measure(name, fleet, load, seconds)
    const takeoverSeconds = await measureTakeovers(fleet, numberArgument(values, 'takeovers', 0))
    await load.stop()
    const found = { machine: thisMachine(), busyBefore: load1, ...report, takeoverSeconds }
    process.stdout.write(`${JSON.stringify(found, null, values.json ? 0 : 2)}\n`)
    if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(found, null, 2)}\n`)
  } finally {
    await fleet.stop()
  }
}
