/** How the vehicle moves during a stretch of the dive. What is not given is 0. */
export interface DivePhase {
  /** First row. */
  readonly from: number
  /** Amplitude of rolling, degrees. */
  readonly roll?: number
  /** Standard deviation of pitch, degrees. */
  readonly pitch?: number
  /** Standard deviation of the rate of turn, degrees per sample. */
  readonly turn?: number
  /** Standard deviation of the quick changes of depth, metres. */
  readonly heave?: number
  /** Standard deviation of the two backup channels. */
  readonly backup?: number
  /** Standard deviation of the warm water met on the way, °C. */
  readonly warm?: number
  /** How much the waves wash over the salinity probe and turn the vehicle, 0 … 1. */
  readonly splash?: number
  /** Share of the time the thrusters are on: thrust x, y, z, moment y, moment z. */
  readonly thrust?: readonly [number, number, number, number, number]
  /** Whether the thrusters hold the vehicle in place against the current. */
  readonly hover?: boolean
}

/** From the deck to the sea floor and back, as the recorded dive went. */
export const DIVE_PHASES: readonly DivePhase[] = [
  // On deck with the instruments off, in the waves, on deck again, afloat.
  { from: 0 },
  { from: 30, roll: 0.5, pitch: 0.2, heave: 0.12, splash: 1 },
  { from: 100, roll: 1.5, pitch: 0.2, heave: 0.12, splash: 1 },
  { from: 300, roll: 0.75, pitch: 0.15, heave: 0.14, splash: 0.06 },
  { from: 463 },
  { from: 2730, roll: 2.6, pitch: 1.3, turn: 0.3, heave: 0.1 },
  // Sinking.
  { from: 3300, roll: 0.08, pitch: 0.3, turn: 0.12, heave: 0.13 },
  { from: 8150, roll: 0.1, pitch: 0.25, turn: 0.12, heave: 0.13, backup: 0.05 },
  // At work near the sea floor, resting, at work.
  { from: 8400, roll: 0.3, pitch: 0.3, turn: 1.2, heave: 0.12, backup: 0.06, thrust: [0.42, 0, 0.48, 0.05, 0.12] },
  { from: 10330, roll: 0.4, pitch: 0.05, turn: 0.05, heave: 0.12, backup: 0.02 },
  {
    from: 11600,
    roll: 0.4,
    pitch: 0.3,
    turn: 1.3,
    heave: 0.12,
    backup: 0.05,
    warm: 0.1,
    thrust: [0.38, 0.29, 0.34, 0, 0.38],
  },
  // Sitting still on the sea floor, thrusters tried now and then.
  { from: 14450 },
  { from: 15470, thrust: [0.4, 0, 0.42, 0, 0] },
  { from: 15900, thrust: [0.05, 0, 0.02, 0, 0.14] },
  { from: 17230, thrust: [0.13, 0, 0.87, 0, 0.13] },
  // At work.
  { from: 17800, roll: 0.35, pitch: 0.4, turn: 1.2, heave: 0.1, backup: 0.06, thrust: [0.55, 0.1, 0.5, 0, 0.25] },
  { from: 18900, roll: 0.1, pitch: 0.1, heave: 0.1, backup: 0.04 },
  {
    from: 19000,
    roll: 0.5,
    pitch: 0.4,
    turn: 1,
    heave: 0.12,
    backup: 0.05,
    warm: 0.2,
    thrust: [0.24, 0.3, 0.42, 0, 0.4],
  },
  { from: 20650, roll: 0.04, pitch: 0.03, heave: 0.1, backup: 0.015, warm: 0.06 },
  {
    from: 21780,
    roll: 0.6,
    pitch: 0.8,
    turn: 0.05,
    heave: 0.15,
    backup: 0.02,
    warm: 0.06,
    thrust: [0.42, 0, 0.36, 0.12, 0.06],
  },
  { from: 22400, roll: 0.04, pitch: 0.03, heave: 0.1, backup: 0.01, warm: 0.06 },
  { from: 23600, roll: 0.3, pitch: 1.2, turn: 0.7, heave: 0.12, backup: 0.1, thrust: [0.72, 0, 0.66, 0, 0.24] },
  { from: 24700, roll: 0.1, pitch: 0.6, turn: 0.1, heave: 0.1, backup: 0.05, hover: true },
  { from: 26150, roll: 0.12, pitch: 0.5, turn: 0.02, heave: 0.12, backup: 0.05, thrust: [0.05, 0, 0.12, 0, 0] },
  { from: 27500, roll: 0.25, pitch: 0.6, turn: 0.4, heave: 0.12, backup: 0.04, thrust: [0.34, 0, 0.84, 0, 0.07] },
  // Rising, then frozen.
  { from: 29080, roll: 0.1, pitch: 0.2, turn: 0.05, heave: 0.15, backup: 0.015 },
  { from: 29900 },
]
