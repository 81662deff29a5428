import { expect, it } from 'vitest'
import { Catalogue } from './catalogue.ts'

it('finds entries from outside first, and nothing that is no entry', () => {
  const [own, other] = [{ name: 'a' }, { name: 'mine' }]
  const catalogue = new Catalogue(own)
  expect(catalogue.find('a')).toBe(own)
  expect(catalogue.find('a', { a: other })).toBe(other)
  // An extension goes by its place, not by the name of its entry.
  for (const name of ['mine', 'constructor', 'toString', undefined, 7]) {
    expect(catalogue.find(name, { a: other })).toBeUndefined()
  }
})
