import { channelRows, channels, levels, nodePanels, outputs, sample, size, targets, width } from './arena'
import { madd } from './rounding'

/** The first part of h = [z, σ(z·V + b), 0 …], with z·V + b in place of the nodes; returns where these begin. */
export function nodes<T>(weights: usize, h: usize): usize {
  const number = sizeof<T>()
  for (let i: usize = 0; i < <usize>channels * number; i += number) store<T>(h + i, load<T>(sample + i))
  const out = h + <usize>channels * number
  const end = out + <usize>nodePanels * 64
  const sampleEnd = sample + <usize>channelRows * number
  let at = weights
  for (let panel = out; panel < end; panel += 64) {
    let a0 = v128.load(at, 0)
    let a1 = v128.load(at, 16)
    let a2 = v128.load(at, 32)
    let a3 = v128.load(at, 48)
    at += 64
    for (let i = sample; i < sampleEnd; i += 2 * number) {
      let z = v128.load_splat<T>(i, 0)
      a0 = madd<T>(z, v128.load(at, 0), a0)
      a1 = madd<T>(z, v128.load(at, 16), a1)
      a2 = madd<T>(z, v128.load(at, 32), a2)
      a3 = madd<T>(z, v128.load(at, 48), a3)
      z = v128.load_splat<T>(i, sizeof<T>())
      a0 = madd<T>(z, v128.load(at, 64), a0)
      a1 = madd<T>(z, v128.load(at, 80), a1)
      a2 = madd<T>(z, v128.load(at, 96), a2)
      a3 = madd<T>(z, v128.load(at, 112), a3)
      at += 128
    }
    v128.store(panel, a0, 0)
    v128.store(panel, a1, 16)
    v128.store(panel, a2, 32)
    v128.store(panel, a3, 48)
  }
  return out
}

/** Zeros behind the last feature. */
export function pad<T>(h: usize): void {
  for (let i = h + <usize>size * sizeof<T>(); i < h + <usize>width * sizeof<T>(); i += sizeof<T>()) store<T>(i, 0)
}

/** W ← W + k·((y* − ŷ)/s). */
export function learn<T>(weights: usize, gain: usize, at: usize, s: T): void {
  const end = gain + <usize>width * sizeof<T>()
  let w = weights
  for (let k = 0; k < levels; k++) {
    const step = v128.splat<T>((load<T>(targets + at) - load<T>(outputs + at)) / s)
    for (let i = gain; i < end; i += 4 * sizeof<T>()) {
      v128.store(w, madd<T>(v128.load(i, 0), step, v128.load(w, 0)), 0)
      if (sizeof<T>() === 8) v128.store(w, madd<T>(v128.load(i, 16), step, v128.load(w, 16)), 16)
      w += 4 * sizeof<T>()
    }
    at += sizeof<T>()
  }
}
