import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../service/service.ts'

const STATUS = { normal: 0, returned: 1, acknowledged: 2, active: 3 }

/** Figures for Prometheus, in base units, under names that begin with `pb_oel_`. */
export class Metrics {
  private readonly registry = new Registry()
  private readonly requests: Histogram
  private readonly commits: Histogram
  private readonly commitRecords: Histogram
  private readonly records: Counter
  private readonly troubles: Counter
  private readonly mqttMessages: Counter

  constructor() {
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry })
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
    this.records = new Counter({
      name: 'pb_oel_records_total',
      help: 'Records on disk since the start, by kind.',
      labelNames: ['system', 'kind'],
      registers,
    })
    this.troubles = new Counter({
      name: 'pb_oel_troubles_total',
      help: 'Failures that no caller was waiting for, such as a store that refuses to write.',
      registers,
    })
    this.mqttMessages = new Counter({
      name: 'pb_oel_mqtt_messages_total',
      help: 'MQTT messages by outcome.',
      labelNames: ['outcome'],
      registers,
    })
  }

  /** Reads the state of every system whenever the figures are fetched. */
  watch(service: Service): void {
    service.subscribe(({ id }, { kind }) => this.records.inc({ system: id, kind }))
    type Look = (system: ReturnType<Service['list']>[number]) => number | null
    const gauge = (name: string, help: string, look: Look) => {
      const metric: Gauge = new Gauge({
        name,
        help,
        labelNames: ['system'],
        registers: [this.registry],
        collect() {
          metric.reset()
          for (const system of service.list()) {
            const value = look(system)
            if (value !== null) metric.set({ system: system.id }, value)
          }
        },
      })
    }
    gauge('pb_oel_system_ready', '1 while the system takes events.', ({ ready }) => (ready ? 1 : 0))
    gauge('pb_oel_level', 'Assessed level; 0 is the safest.', ({ fold }) => fold.questions.latest?.level ?? null)
    gauge(
      'pb_oel_confidence_ratio',
      'Confidence of the latest assessment.',
      ({ fold }) => fold.questions.latest?.confidence ?? null,
    )
    gauge(
      'pb_oel_alarm_status',
      '0 normal, 1 returned, 2 acknowledged, 3 active.',
      ({ fold }) => STATUS[fold.alarm.status],
    )
    gauge('pb_oel_open_questions', 'Assessments nobody has answered.', ({ fold }) => fold.questions.open)
    gauge('pb_oel_held_channels', 'Channels whose last value is being held.', ({ fold }) => fold.held.length)
    gauge(
      'pb_oel_accuracy_ratio',
      'Share of the latest 500 answers that said right.',
      ({ fold }) => fold.tally.recentAccuracy,
    )
    gauge('pb_oel_drifts', 'Experts rebuilt because of drift, over the whole log.', ({ fold }) => fold.tally.drifts)
    gauge('pb_oel_last_sample_age_seconds', 'Seconds since the latest sample.', ({ fold }) => {
      const { latest } = fold.questions
      return latest ? Math.max(0, service.clock() - latest.time) / 1000 : null
    })
    gauge(
      'pb_oel_guarantee_accuracy_ratio',
      'Accuracy the theorem promises; absent where it does not apply.',
      ({ fold }) => {
        const { applies, value } = fold.guarantee()
        return applies ? (value ?? null) : null
      },
    )
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

  get contentType(): string {
    return this.registry.contentType
  }

  text(): Promise<string> {
    return this.registry.metrics()
  }
}
