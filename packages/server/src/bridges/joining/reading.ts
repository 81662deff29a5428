/** What one message says of a system. */
export interface Reading {
  /** Numbers by channel; null where the source knows that it has none. */
  values: Record<string, number | null>
  /** Clock of the sensor, milliseconds since 1970. */
  at?: number
  /** What all readings of one sample share. */
  tick?: string
  /** What the reading is recognised by when it comes again. */
  key?: string
}
