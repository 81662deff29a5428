/**
 * Named errors. Each says what was wrong and where, as text and as fields, and is thrown before any state has changed.
 */

/** Common parent: `catch (e) { if (e instanceof PbOelError) … }` separates wrong input from defects. */
export class PbOelError extends Error {
  constructor(message: string) {
    super(message)
    this.name = new.target.name
  }
}

/** A constructor option is missing, of the wrong type or out of range. */
export class OptionError extends PbOelError {
  readonly option: string
  readonly value: unknown
  readonly allowed: string

  /**
   * @param option name as the caller wrote it, such as `c`
   * @param value what was given
   * @param allowed the range in words, such as `a number in (0, 10]`
   */
  constructor(option: string, value: unknown, allowed: string, message = mustBe(`option ${option}`, value, allowed)) {
    super(message)
    this.option = option
    this.value = value
    this.allowed = allowed
  }
}

/** An option that does not exist: most often a misspelt one. */
export class UnknownOptionError extends OptionError {
  /** The option that was probably meant. */
  readonly suggestion: string | undefined
  readonly known: readonly string[]

  constructor(option: string, value: unknown, suggestion: string | undefined, known: readonly string[]) {
    const help = suggestion === undefined ? `there are ${known.join(', ')}` : `did you mean ${suggestion}?`
    super(option, value, `one of ${known.join(', ')}`, `option ${option} is not known; ${help}`)
    this.suggestion = suggestion
    this.known = known
  }
}

/** A module from outside does not export what it must. */
export class ExtensionError extends PbOelError {
  /** The module as it was named. */
  readonly module: string

  constructor(module: string, problem: string) {
    super(`module ${module}: ${problem}`)
    this.module = module
  }
}

/** A sample has the wrong length, or a channel is not a finite number. */
export class SampleError extends PbOelError {
  /** Index of the first channel at fault, or -1 when the length is wrong. */
  readonly channel: number
  readonly value: unknown

  constructor(message: string, channel: number, value: unknown) {
    super(message)
    this.channel = channel
    this.value = value
  }
}

/** The feedback itself is malformed: unknown kind, or a level outside 0 … levels − 1. */
export class FeedbackError extends PbOelError {
  readonly field: string
  readonly value: unknown

  constructor(field: string, value: unknown, allowed: string) {
    super(mustBe(`feedback.${field}`, value, allowed))
    this.field = field
    this.value = value
  }
}

/** Feedback names an assessment that was never made or is no longer kept. */
export class UnknownAssessmentError extends PbOelError {
  readonly id: unknown

  constructor(id: unknown, reason: string) {
    super(`assessment ${show(id)}: ${reason}`)
    this.id = id
  }
}

/** A second answer for one assessment that is not marked as a correction. */
export class RepeatedFeedbackError extends PbOelError {
  readonly id: number

  constructor(id: number) {
    super(`assessment ${id}: already answered; set correction: true to replace the answer`)
    this.id = id
  }
}

/** Bytes that are not a snapshot, are damaged, or belong to another method or version. */
export class SnapshotError extends PbOelError {}

function mustBe(subject: string, value: unknown, allowed: string): string {
  return `${subject} is ${value === undefined ? 'missing' : show(value)}; it must be ${allowed}`
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (value === null || typeof value !== 'object') return String(value)
  return Array.isArray(value) || ArrayBuffer.isView(value) ? 'an array' : 'an object'
}
