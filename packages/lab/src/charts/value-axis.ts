/** The upright axis of a line chart. */
export interface ValueAxis {
  /** Places at both ends. */
  domain: [number, number]
  /** Places of the ticks, and the name of each. */
  ticks: number[]
  format: (place: number) => string
  /** Place of a value on the axis. */
  place: (value: number) => number
}
