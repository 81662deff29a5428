import perf from 'node:perf_hooks'
import { expect, it, vi } from 'vitest'
import { Metrics } from './metrics.ts'

it('many servers in a process tell its figures, and watch it no more than once', async () => {
  const watch = vi.spyOn(perf, 'monitorEventLoopDelay')
  try {
    const texts = await Promise.all([new Metrics(), new Metrics(), new Metrics()].map((metrics) => metrics.text()))
    for (const text of texts) {
      expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
      expect(text).toMatch(/^# TYPE pb_oel_http_request_duration_seconds histogram$/m)
    }
    expect(watch.mock.calls.length).toBeLessThan(2)
  } finally {
    watch.mockRestore()
  }
})
