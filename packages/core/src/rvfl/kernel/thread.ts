/** A thread that helps to update the networks of one kernel; `startThreads` runs this file. */

import { instantiate } from './instance.ts'
import { nodeThreads, type ThreadTask } from './threads.ts'
import { joinTurns } from './turns.ts'

const { workerData } = nodeThreads() ?? {}
const { module, memory, sizes, turns } = workerData as ThreadTask
joinTurns(turns, instantiate(module, memory, sizes).update)
