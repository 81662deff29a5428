import { PROBE_WASM } from './probe.wasm.ts'
import { fromHex, type WasmNamespace, webAssembly } from './web-assembly.ts'

type MultiplyAdd = (a: number, b: number, c: number) => number

/**
 * Whether relaxed multiply–add rounds once here, in all four forms that the kernels use.
 *
 * (1 + e)² = 1 + 2e + e². With e² below half a unit in the last place, the product rounds to 1 + 2e, so that taking
 * 1 + 2e away leaves e² only where the product is not rounded.
 */
export function fusedWorks(): boolean {
  try {
    const { Module, Instance } = webAssembly() as WasmNamespace
    const { exports } = new Instance(new Module(fromHex(PROBE_WASM)), {})
    const fuses = (name: string, e: number, sign: number) =>
      (exports[name] as MultiplyAdd)(1 + e, 1 + e, -sign * (1 + 2 * e)) === sign * e * e
    return (
      fuses('multiplyAdd', 2 ** -30, 1) &&
      fuses('subtractProduct', 2 ** -30, -1) &&
      fuses('multiplyAddSingle', 2 ** -13, 1) &&
      fuses('subtractProductSingle', 2 ** -13, -1)
    )
  } catch {
    // There is no WebAssembly, or it lacks the instruction.
    return false
  }
}
