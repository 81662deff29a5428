/**
 * Where everything lies in the arena that ../layout.ts describes. All offsets are in bytes. The offsets of
 * a network count from its start.
 */

export let channels: i32 = 0
export let channelRows: i32 = 0
export let nodePanels: i32 = 0
export let size: i32 = 0
export let width: i32 = 0
export let levels: i32 = 0
export let sample: usize = 0
export let outputs: usize = 0
export let targets: usize = 0
export let experts: usize = 0
export let stride: usize = 0
export let inputWeights: usize = 0
export let features: usize = 0
export let gain: usize = 0
export let diagonal: usize = 0
export let outputWeights: usize = 0
export let factor: usize = 0
export let forgetting: f64 = 1
export let diagonalLimit: f64 = Infinity

/** Sizes and constants; once, before anything else. */
export function configure(
  channels_: i32,
  channelRows_: i32,
  nodePanels_: i32,
  size_: i32,
  width_: i32,
  levels_: i32,
  sample_: usize,
  outputs_: usize,
  targets_: usize,
  experts_: usize,
  stride_: usize,
  inputWeights_: usize,
  features_: usize,
  gain_: usize,
  diagonal_: usize,
  outputWeights_: usize,
  factor_: usize,
  forgetting_: f64,
  diagonalLimit_: f64,
): void {
  channels = channels_
  channelRows = channelRows_
  nodePanels = nodePanels_
  size = size_
  width = width_
  levels = levels_
  sample = sample_
  outputs = outputs_
  targets = targets_
  experts = experts_
  stride = stride_
  inputWeights = inputWeights_
  features = features_
  gain = gain_
  diagonal = diagonal_
  outputWeights = outputWeights_
  factor = factor_
  forgetting = forgetting_
  diagonalLimit = diagonalLimit_
}
