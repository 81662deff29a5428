import { option } from '../../options/option.ts'
import type { OptionsOf } from '../../options/option-table.ts'

const ARITHMETICS = ['auto', 'typescript', 'simd', 'fused', 'relaxed'] as const

/**
 * Which kernel computes:
 *
 * - `auto`: WebAssembly SIMD where the engine has it, else TypeScript; the same bits either way;
 * - `typescript`, `simd`: that one, or an error where it cannot run;
 * - `fused`: WebAssembly with fused multiply–add, or an error where engine or processor lack it. Faster, and the same
 *   bits wherever it runs: x86-64 processors with FMA (most since 2013) and ARM64, in engines with relaxed SIMD;
 * - `relaxed`: as `fused` where that runs, else as `auto`. Its last bits differ from machine to machine, so a log
 *   replayed elsewhere need not give the same assessments.
 */
export type Arithmetic = (typeof ARITHMETICS)[number]

/** The options of a kernel: how the networks are computed. */
export const KERNEL_OPTIONS = {
  arithmetic: option.choice(ARITHMETICS, {
    default: 'auto',
    about:
      'Which kernel computes: `auto` gives the same bits everywhere and is fast where it can be; `typescript` and ' +
      '`simd` give them too; `fused` is faster, with bits of its own that are the same wherever it runs; `relaxed` is ' +
      'as fast, but its last bits differ from machine to machine.',
  }),
  precision: option.choice(['double', 'single'], {
    default: 'double',
    about: 'Numbers of 64 bits or of 32 in the networks: `single` is faster and takes half the memory.',
  }),
  threads: option.integer({
    from: 1,
    to: 64,
    default: 1,
    about:
      'Threads that update the networks, with the same bits for any number. Worth it where an update takes a ' +
      'millisecond or more; needs Node, elsewhere one thread computes.',
  }),
}

/** Options of a kernel, as {@link KERNEL_OPTIONS} declares them. */
export type KernelOptions = OptionsOf<typeof KERNEL_OPTIONS>
