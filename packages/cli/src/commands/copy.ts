import { Command } from 'commander'
import { integer } from '../arguments.ts'
import { openReader, openStore } from '../stores.ts'
import { counted } from '../text-table.ts'

interface Options {
  cluster?: string
  shards?: number
}

/** `pb-oel copy`: a log from one store to another, for keeping or for moving. */
export function copyCommand(): Command {
  return new Command('copy')
    .description('copy the log of every system from one store to another: back up, restore, move to a cluster and back')
    .argument('<from>', 'file of a store, or nats://… of a cluster; running servers may have it open')
    .argument('<to>', 'the same; it must not have these systems yet, and nobody may write them meanwhile')
    .option('--cluster <name>', 'which cluster of these NATS servers (default: pb-oel)')
    .option('--shards <n>', 'shards of a cluster that is made by this (default: 64)', integer(1, 1024))
    .action(copy)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel copy nats://a:4222 backup.db
  $ pb-oel copy plant.db nats://a:4222,nats://b:4222,nats://c:4222 --shards 64`,
    )
}

async function copy(from: string, to: string, { cluster, shards }: Options): Promise<void> {
  const { copyLog } = await import('@pb-oel/server')
  const source = await openReader(from, cluster)
  try {
    const target = await openStore(to, cluster, shards)
    try {
      await copyLog(source, target, ({ system, from: first, to: last }) => {
        process.stdout.write(`${system}: ${counted(last - first + 1, 'record')}\n`)
      })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
