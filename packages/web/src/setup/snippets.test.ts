import { describe, expect, it } from 'vitest'
import { snippet } from './snippets.ts'

const plant = { origin: 'http://127.0.0.1:8400', system: 'plant', channels: ["flow's rate", 'heat'], token: 'pboel_x' }

describe('a snippet', () => {
  it('has the address, the token and the channels, quoted for the shell', () => {
    expect(snippet('curl', plant)).toBe(
      `curl --fail-with-body http://127.0.0.1:8400/v1/systems/plant/samples \\
  -H 'content-type: application/json' \\
  -H 'authorization: Bearer pboel_x' \\
  -d '{ "values": { "flow'\\''s rate": 0, "heat": 0 } }'`,
    )
    expect(snippet('line', plant)).toContain(`readings flow'\\''s\\ rate=0,heat=0`)
    expect(snippet('line', plant)).toContain('bucket=plant&precision=s')
    expect(snippet('python', plant)).toContain('Client("http://127.0.0.1:8400", token="pboel_x")')
    expect(snippet('mqtt', plant)).toContain("-t 'pb-oel/plant/sample'")
  })

  it('has no token where the server needs none, and a list where there are many channels', () => {
    const wide = { ...plant, token: undefined, channels: Array.from('abcdefg') }
    expect(snippet('curl', wide)).not.toContain('authorization')
    expect(snippet('curl', wide)).toContain('[0, 0, 0, 0, 0, 0, 0]')
    expect(snippet('python', wide)).not.toContain('token')
  })
})
