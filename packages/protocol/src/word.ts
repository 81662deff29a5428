import { Kind, Type, TypeRegistry } from '@sinclair/typebox'

/** One of a few words: an `enum` in every document that is generated from the schema. */
export function word<const T extends readonly string[]>(words: T, description?: string) {
  if (!TypeRegistry.Has('Word')) {
    TypeRegistry.Set<{ enum: readonly unknown[] }>('Word', (schema, value) => schema.enum.includes(value))
  }
  return Type.Unsafe<T[number]>({
    [Kind]: 'Word',
    type: 'string',
    enum: [...words],
    ...(description && { description }),
  })
}
