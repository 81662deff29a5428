/** A JSON schema, as far as the API uses it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  description?: string
  format?: string
}

/**
 * A schema as a TypeScript type, with its descriptions as comments: shorter than the schema, and everybody reads it.
 */
export function schemaText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return union.map((part) => schemaText(part, indent)).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => schemaText(part, indent)).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return arrayText(schema, indent)
  if (schema.type === 'object' || schema.properties) return objectText(schema, indent)
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown')
}

function arrayText({ items = {} }: Schema, indent: string): string {
  const text = schemaText(items, indent)
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})[]` : `${text}[]`
}

function objectText(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [`${inner}// ${field.description.replaceAll('\n', ' ')}`] : []),
    `${inner}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${schemaText(field, inner)}`,
  ])
  const others =
    typeof additionalProperties === 'object' ? additionalProperties : Object.values(patternProperties ?? {})[0]
  if (lines.length === 0) return others ? `Record<string, ${schemaText(others, indent)}>` : '{}'
  return `{\n${lines.join('\n')}\n${indent}}`
}
