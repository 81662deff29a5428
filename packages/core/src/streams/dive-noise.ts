import { channelIndex, DIVE_CHANNELS, type DiveChannel } from './dive-channels.ts'
import type { NoiseKind } from './dive-levels.ts'

/** Standard deviation of a quiet instrument, in the unit of its channel, where {@link QUIET} does not say otherwise. */
const INSTRUMENT = 0.0195

const QUIET: Partial<Record<DiveChannel, number>> = {
  bow_velocity: 0.0165,
  thrust_y: 0.0175,
  oxygen: 0.023,
  carbon_dioxide: 0.017,
  cabin_pressure: 0.022,
}

/** Standard deviations where they differ from the quiet ones. */
const RAISED: Record<NoiseKind, Partial<Record<DiveChannel, number>>> = {
  quiet: {},
  restless: {
    roll_angle: 0.36,
    pitch_angle: 0.27,
    yaw_angle: 0.4,
    bow_velocity: 0.28,
    roll_velocity: 0.034,
    pitch_velocity: 0.26,
    thrust_x: 0.034,
    thrust_y: 0.034,
    thrust_z: 0.5,
    moment_x: 0.037,
    moment_y: 0.55,
    moment_z: 0.55,
    carbon_dioxide: 0.027,
    cabin_pressure: 0.037,
    emergency_hydraulic_pressure: 0.034,
    backup_2: 0.031,
    backup_3: 0.034,
  },
  cabin: {
    oxygen: 0.28,
    carbon_dioxide: 0.053,
    cabin_pressure: 0.27,
    cabin_temperature: 0.34,
    cabin_humidity: 0.28,
  },
}

/**
 * Standard deviation of every channel's noise under `kind`. `sharpness` scales what is above the quiet noise: 0 makes
 * all kinds alike, 1 is as measured.
 */
export function noiseDeviations(kind: NoiseKind, sharpness: number): Float64Array {
  const deviations = new Float64Array(DIVE_CHANNELS.length)
  for (const channel of DIVE_CHANNELS) {
    const quiet = QUIET[channel] ?? INSTRUMENT
    const raised = RAISED[kind][channel] ?? quiet
    deviations[channelIndex(channel)] = quiet + sharpness * (raised - quiet)
  }
  return deviations
}
