import { describe, expect, it } from 'vitest'
import { commandOf } from './keys.ts'

describe('keys', () => {
  it('names levels only as far as there are any', () => {
    expect(commandOf('2', 3)).toEqual({ kind: 'level', level: 1 })
    expect(commandOf('4', 3)).toBeUndefined()
    expect(commandOf('0', 3)).toBeUndefined()
    expect(commandOf('Y', 3)).toEqual({ kind: 'right' })
    expect(commandOf('Escape', 3)).toBeUndefined()
  })
})
