/** The channels of the dive, named and ordered as in the header of Jiaolong_DSMS_V2.csv. */
export const DIVE_CHANNELS = [
  'roll_angle',
  'pitch_angle',
  'yaw_angle',
  'bow_velocity',
  'roll_velocity',
  'pitch_velocity',
  'salinity',
  'temperature',
  'depth',
  'velocity',
  'thrust_x',
  'thrust_y',
  'thrust_z',
  'moment_x',
  'moment_y',
  'moment_z',
  'oxygen',
  'carbon_dioxide',
  'cabin_pressure',
  'cabin_temperature',
  'cabin_humidity',
  'emergency_hydraulic_pressure',
  'backup_2',
  'backup_3',
] as const

/** Name of a channel of the dive. */
export type DiveChannel = (typeof DIVE_CHANNELS)[number]

/** Position of a channel in a sample. */
export function channelIndex(channel: DiveChannel): number {
  return DIVE_CHANNELS.indexOf(channel)
}
