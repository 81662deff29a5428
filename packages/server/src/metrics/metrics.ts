import type { AlarmStatus, PromisesReport } from '@pb-oel/protocol'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../service/service.ts'
import { type Figures, figures } from '../views/figures.ts'
import { isStale } from '../views/system.ts'

/** What became of what came over a bridge. */
export type BridgeOutcome = 'accepted' | 'repeated' | 'refused' | 'ignored'

type Tell = (figures: Figures) => number | null

/** A figure of the promises, which is there once a sample is. */
const promised =
  (tell: (promises: PromisesReport) => number): Tell =>
  ({ promises }) =>
    promises && promises.accuracy.samples > 0 ? tell(promises) : null

/** A figure that is estimated from answers, once there are any. */
const estimated = (tell: (outcomes: PromisesReport['outcomes']) => number): Tell => {
  return ({ promises }) => (promises && promises.outcomes.weight > 0 ? tell(promises.outcomes) : null)
}

const STATUS: Record<AlarmStatus, number> = { normal: 0, returned: 1, acknowledged: 2, active: 3, latched: 4 }

/** The gauges of a system: name, what it tells, and how it follows from the figures now. */
const GAUGES: readonly [name: string, help: string, value: Tell][] = [
  ['pb_oel_trained', '1 once levels are findings, 0 while too little has been learned.', (f) => (f.trained ? 1 : 0)],
  ['pb_oel_level', 'Assessed level; 0 is the safest; absent while untrained.', ({ level }) => level],
  ['pb_oel_safe_side_level', 'Lowest level that keeps misses below their target.', ({ safeSide }) => safeSide],
  [
    'pb_oel_confidence_ratio',
    'Probability that the latest assessment is right, recalibrated by answers.',
    ({ confidence }) => confidence,
  ],
  ['pb_oel_alarm_status', '0 normal, 1 returned, 2 acknowledged, 3 active, 4 latched.', ({ alarm }) => STATUS[alarm]],
  [
    'pb_oel_accuracy_alarm_status',
    'Alarm about a fall of accuracy: 0 normal, 3 active, 4 latched.',
    ({ accuracyAlarm }) => (accuracyAlarm === null ? null : STATUS[accuracyAlarm]),
  ],
  ['pb_oel_open_questions', 'Assessments nobody has answered.', ({ openQuestions }) => openQuestions],
  ['pb_oel_held_channels', 'Channels whose last value is being held.', ({ heldChannels }) => heldChannels],
  [
    'pb_oel_accuracy_ratio',
    'Accuracy by the latest 500 answers, each counted for the samples it stands for.',
    ({ recentAccuracy }) => recentAccuracy,
  ],
  ['pb_oel_estimated_accuracy_ratio', 'Accuracy estimated from all answers.', estimated(({ accuracy }) => accuracy)],
  ['pb_oel_estimated_misses_ratio', 'Share of misses estimated from all answers.', estimated(({ misses }) => misses)],
  [
    'pb_oel_estimated_false_alarms_ratio',
    'Share of false alarms estimated from all answers.',
    estimated(({ falseAlarms }) => falseAlarms),
  ],
  [
    'pb_oel_certified_accuracy_ratio',
    'The accuracy over all samples is at least this, with the confidence of the promises.',
    promised(({ accuracy }) => accuracy.certified),
  ],
  [
    'pb_oel_certified_window_accuracy_ratio',
    'The same over the latest samples.',
    promised(({ windowAccuracy }) => windowAccuracy.certified),
  ],
  [
    'pb_oel_certified_misses_ratio',
    'At most this share of all samples is a miss, with the confidence of the promises.',
    promised(({ misses }) => 1 - misses.certified),
  ],
  ['pb_oel_regret_bound_ratio', 'No expert was better by more than this, per sample.', (f) => f.regretBound],
  [
    'pb_oel_calibration_error_ratio',
    'Expected calibration error of the confidence.',
    promised(({ calibrationError }) => calibrationError),
  ],
  ['pb_oel_accuracy_falls', 'How often accuracy was found to have fallen.', promised(({ falls }) => falls)],
  ['pb_oel_drifts', 'Experts refitted because of drift, over the whole log.', ({ drifts }) => drifts],
  [
    'pb_oel_novel_samples',
    'Samples of none of the known levels, over the whole log; absent where nobody looks.',
    ({ novelSamples }) => novelSamples,
  ],
  [
    'pb_oel_last_sample_age_seconds',
    'Seconds since the latest sample, by the monotonic clock.',
    ({ lastSampleAge }) => lastSampleAge,
  ],
  [
    'pb_oel_stale',
    '1 while nothing has come for too long; absent while the stream has no rate.',
    ({ lastSampleAge: age, staleAfter: after }) =>
      age === null || after === null ? null : isStale(age, after) ? 1 : 0,
  ],
  [
    'pb_oel_stale_alarm_status',
    'Alarm about stale data: 0 normal, 1 returned, 2 acknowledged, 3 active, 4 latched.',
    ({ staleAlarm }) => (staleAlarm === null ? null : STATUS[staleAlarm]),
  ],
  [
    'pb_oel_guarantee_accuracy_ratio',
    'Accuracy the theorem promises; absent where it does not apply.',
    ({ guaranteed }) => guaranteed,
  ],
]

let processFigures: Registry | undefined

/** Memory, event loop and garbage collection of the process: watched once, however many servers run in it. */
function ofProcess(): Registry {
  if (!processFigures) {
    processFigures = new Registry()
    collectDefaultMetrics({ register: processFigures })
  }
  return processFigures
}

/** Figures for Prometheus, in base units, under names that begin with `pb_oel_`. */
export class Metrics {
  private readonly registry = new Registry()
  private readonly process = ofProcess()
  private readonly requests: Histogram
  private readonly commits: Histogram
  private readonly commitRecords: Histogram
  private readonly records: Counter
  private readonly troubles: Counter
  private readonly mqttMessages: Counter
  private readonly bridgeReadings: Counter
  private readonly bridges: Gauge
  private readonly bridgeReadingsWaiting: Gauge
  private readonly ready: Gauge
  private readonly gauges: readonly Gauge[]
  private service: Service | undefined

  constructor() {
    const registers = [this.registry]
    this.requests = new Histogram({
      name: 'pb_oel_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    })
    this.commits = new Histogram({
      name: 'pb_oel_log_commit_duration_seconds',
      help: 'Time until a group of records is on disk.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registers,
    })
    this.commitRecords = new Histogram({
      name: 'pb_oel_log_commit_records',
      help: 'Records in a group.',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
      registers,
    })
    const records = { name: 'pb_oel_records_total', help: 'Records on disk since the start, by kind.' }
    this.records = new Counter({ ...records, labelNames: ['system', 'kind'], registers })
    const help = 'Failures that no caller was waiting for, such as a store that refuses to write.'
    this.troubles = new Counter({ name: 'pb_oel_troubles_total', help, registers })
    this.watchClock(registers)
    const messages = { name: 'pb_oel_mqtt_messages_total', help: 'MQTT messages by outcome.' }
    this.mqttMessages = new Counter({ ...messages, labelNames: ['outcome'], registers })
    const readings = { name: 'pb_oel_bridge_samples_total', help: 'What came over a bridge, by outcome.' }
    this.bridgeReadings = new Counter({ ...readings, labelNames: ['bridge', 'outcome'], registers })
    const connected = { name: 'pb_oel_bridge_connected', help: '1 while the source of a bridge can be reached.' }
    this.bridges = new Gauge({ ...connected, labelNames: ['bridge'], registers })
    const waiting = { name: 'pb_oel_bridge_waiting', help: 'Readings of a bridge that are not on disk yet.' }
    this.bridgeReadingsWaiting = new Gauge({ ...waiting, labelNames: ['bridge'], registers })
    const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['system'], registers })
    this.ready = gauge('pb_oel_system_ready', '1 while the system takes events.')
    this.gauges = GAUGES.map(([name, help]) => gauge(name, help))
  }

  /** Counts every record from now on, and reads the state of every system whenever the figures are fetched. */
  watch(service: Service): void {
    this.service = service
    service.subscribe(({ id }, { events }) => {
      for (const { kind } of events) this.records.inc({ system: id, kind })
    })
  }

  /** The clock is looked at whenever the figures are fetched. */
  private watchClock(registers: Registry[]): void {
    const time = () => this.service?.time
    new Counter({
      ...{ name: 'pb_oel_clock_jumps_total', help: 'Jumps of the wall clock since the start.', registers },
      collect() {
        this.reset()
        this.inc(time()?.jumps ?? 0)
      },
    })
    new Gauge({
      ...{ name: 'pb_oel_clock_offset_seconds', registers },
      help: "How far the wall clock is ahead of the server's time.",
      collect() {
        this.set((time()?.offset ?? 0) / 1000)
      },
    })
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds)
  }

  commit(seconds: number, records: number): void {
    this.commits.observe(seconds)
    this.commitRecords.observe(records)
  }

  trouble(): void {
    this.troubles.inc()
  }

  mqtt(outcome: 'accepted' | 'repeated' | 'refused' | 'published'): void {
    this.mqttMessages.inc({ outcome })
  }

  /** Counts what came over a bridge. */
  bridge(bridge: string, outcome: BridgeOutcome, number = 1): void {
    this.bridgeReadings.inc({ bridge, outcome }, number)
  }

  /** Counts readings that are not on disk yet. */
  bridgeWaiting(bridge: string, change: number): void {
    this.bridgeReadingsWaiting.inc({ bridge }, change)
  }

  bridgeConnected(bridge: string, connected: boolean): void {
    this.bridges.set({ bridge }, connected ? 1 : 0)
  }

  /** Another worker has the bridge now, or nobody. */
  bridgeGone(bridge: string): void {
    this.bridges.remove({ bridge })
    this.bridgeReadingsWaiting.remove({ bridge })
  }

  get contentType(): string {
    return this.registry.contentType
  }

  async text(): Promise<string> {
    if (this.service) await this.look(this.service)
    return Registry.merge([this.registry, this.process]).metrics()
  }

  /** Sets the gauges of every system; one that is not ready tells nothing but that. */
  private async look(service: Service): Promise<void> {
    const systems = await Promise.all(
      service.list().map(async (system) => ({
        system: system.id,
        figures: await system.read(figures(system.now)).catch(() => undefined),
      })),
    )
    for (const gauge of [this.ready, ...this.gauges]) gauge.reset()
    for (const { id } of service.missing) this.ready.set({ system: id }, 0)
    for (const { system, figures } of systems) {
      this.ready.set({ system }, figures ? 1 : 0)
      GAUGES.forEach(([, , tell], i) => {
        const value = figures ? tell(figures) : null
        if (value !== null) this.gauges[i].set({ system }, value)
      })
    }
  }
}
