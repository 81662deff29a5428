import { describe, expect, it } from 'vitest'
import { commandOf } from './keys.ts'
import { levelKeys } from './level-keys.ts'

describe('keys', () => {
  it('names levels only as far as there are any', () => {
    const keys = levelKeys(['safe', 'odd', 'unsafe'])
    expect(commandOf('2', keys)).toEqual({ kind: 'level', level: 1 })
    expect(commandOf('4', keys)).toBeUndefined()
    expect(commandOf('0', keys)).toBeUndefined()
    const told = ['Y', 'n', 'c', 'S', 'u', '?'].map((key) => commandOf(key, keys)?.kind)
    expect(told).toEqual(['right', 'wrong', 'cannot-tell', 'skip', 'undo', 'help'])
    expect(commandOf('', ['', ''])).toBeUndefined()
    expect(commandOf('Enter', keys)).toBeUndefined()
    expect(commandOf('Escape', keys)).toBeUndefined()
  })

  it('of numbered levels are their numbers', () => {
    expect(levelKeys(['0', '1', '2'])).toEqual(['0', '1', '2'])
    expect(levelKeys(['level 3', 'level 1'])).toEqual(['3', '1'])
    expect(levelKeys(['1', 'odd'])).toEqual(['1', '2'])
  })

  it('reach twenty levels, each by another key that does nothing else', () => {
    const keys = levelKeys(Array.from({ length: 20 }, (_, i) => `state ${'abcdefghijklmnopqrst'[i]}`))
    expect(new Set(keys).size).toBe(20)
    for (const [level, key] of keys.entries()) expect(commandOf(key, keys)).toEqual({ kind: 'level', level })
  })
})
