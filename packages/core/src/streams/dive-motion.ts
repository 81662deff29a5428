import { sin } from '../math/elementary.ts'
import type { Random } from '../math/random.ts'
import { DIVE_PHASES } from './dive-phases.ts'

const NO_THRUST = [0, 0, 0, 0, 0] as const

/** The vehicle under way: attitude, heave, thrusters and what it meets, one sample after the other. */
export class DiveMotion {
  /** Degrees around the curve of the channel, as all angles here. */
  roll = 0
  pitch = 0
  yaw = 0
  /** Metres around the curve of the depth. */
  heave = 0
  thrustX = 0
  thrustY = 0
  thrustZ = 0
  momentY = 0
  momentZ = 0
  backup2 = 0
  backup3 = 0
  /** Warm water, °C above the curve. */
  warm = 0
  /** Salinity that waves wash over the probe. */
  splash = 0
  private readonly random: Random
  private phase = 0
  private angle = 0
  private course = 0
  private readonly swell = new Wander(30)
  private readonly pitching = new Wander(12)
  private readonly turning = new Wander(20)
  private readonly second = new Wander(15)
  private readonly third = new Wander(15)
  private readonly warmth = new Wander(40)
  private readonly hoverX = new Wander(30)
  private readonly hoverZ = new Wander(15)
  private readonly hoverTurn = new Wander(15)
  private readonly x = new Thruster(-2300, 2650, 0.05)
  private readonly y = new Thruster(-1165, 700, 0.85)
  private readonly z = new Thruster(-2065, 1390, 0.75)
  private readonly turnY = new Thruster(-600, 600, 0.5)
  private readonly turnZ = new Thruster(-5500, 5500, 0.4)

  constructor(random: Random) {
    this.random = random
  }

  /** Moves on to the next sample, which shows `row` of the dive. */
  step(row: number): void {
    while (this.phase + 1 < DIVE_PHASES.length && row >= DIVE_PHASES[this.phase + 1].from) this.phase++
    while (row < DIVE_PHASES[this.phase].from) this.phase--
    const phase = DIVE_PHASES[this.phase]
    const { roll = 0, pitch = 0, turn = 0, heave = 0, backup = 0, warm = 0, splash = 0, thrust = NO_THRUST } = phase
    const { random } = this
    // Rolling has a period of 8 to 12 samples; it swells and calms.
    this.angle += (2 * Math.PI) / random.between(8, 12)
    if (this.angle > Math.PI) this.angle -= 2 * Math.PI
    const swing = sin(this.angle)
    this.roll = roll * (1 + 0.25 * this.swell.step(random)) * swing
    this.pitch = pitch * this.pitching.step(random)
    this.course = turn === 0 ? 0.9 * this.course : 0.99 * this.course + turn * this.turning.step(random)
    this.yaw = this.course + 8 * splash * swing
    this.heave = heave * random.normal()
    this.backup2 = backup * this.second.step(random)
    this.backup3 = backup * this.third.step(random)
    this.warm = warm * Math.max(0, this.warmth.step(random))
    this.splash = splash * Math.max(0, -this.roll - 0.2) * random.between(0.3, 2.3)
    this.thrustX = this.x.step(random, thrust[0])
    this.thrustY = this.y.step(random, thrust[1])
    this.thrustZ = this.z.step(random, thrust[2])
    this.momentY = this.turnY.step(random, thrust[3])
    this.momentZ = this.turnZ.step(random, thrust[4])
    if (phase.hover) {
      this.thrustX += 150 * this.hoverX.step(random)
      this.thrustZ += 120 * this.hoverZ.step(random)
      this.momentZ += 80 * this.hoverTurn.step(random)
    }
  }
}

/** One axis of the thrusters: plateaus of 1 … 20 samples, on or off. */
class Thruster {
  private readonly low: number
  private readonly high: number
  private readonly backward: number
  private left = 0
  private level = 0

  /**
   * @param low strongest thrust backward, negative
   * @param high strongest thrust forward
   * @param backward share of the plateaus that are backward
   */
  constructor(low: number, high: number, backward: number) {
    this.low = low
    this.high = high
    this.backward = backward
  }

  /** Thrust at the next sample; `share` is how much of the time the thruster is on. */
  step(random: Random, share: number): number {
    if (this.left === 0) {
      this.left = 1 + random.integer(20)
      const u = random.uniform()
      const half = random.uniform()
      const strength = 0.08 + 0.85 * half * half
      this.level = u >= share ? 0 : strength * (u < share * this.backward ? this.low : this.high)
    }
    this.left--
    // A running thruster is never quite steady.
    return this.level === 0 ? 0 : this.level * (1 + 0.02 * random.normal())
  }
}

/** A value that wanders around 0 with unit standard deviation (a first-order autoregression). */
export class Wander {
  private readonly keep: number
  private readonly add: number
  private value = 0

  /** @param memory number of samples after which about a third of a deviation is left */
  constructor(memory: number) {
    this.keep = 1 - 1 / memory
    this.add = Math.sqrt(1 - this.keep * this.keep)
  }

  step(random: Random): number {
    this.value = this.keep * this.value + this.add * random.normal()
    return this.value
  }
}
