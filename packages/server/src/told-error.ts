import * as core from '@pb-oel/core'
import { InvalidShape, UnknownVersion } from '@pb-oel/protocol'
import * as own from './errors.ts'

/** An error on its way between threads: structured cloning would lose its class and its fields. */
export interface ToldError {
  name: string
  message: string
  fields: Record<string, unknown>
}

type ErrorClass = new (...args: never[]) => Error

const exported: unknown[] = [...Object.values({ ...core, ...own }), InvalidShape, UnknownVersion]
const CLASSES = new Map(exported.filter(isErrorClass).map((errorClass) => [errorClass.name, errorClass]))

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === 'function' && value.prototype instanceof Error
}

/** What another thread must know of an error. Fields that are no plain values stay behind. */
export function told(error: Error): ToldError {
  const plain = Object.entries(error).filter(([, value]) => typeof value !== 'object' && typeof value !== 'function')
  return { name: error.name, message: error.message, fields: Object.fromEntries(plain) }
}

/** The error that was {@link told}: of the same class, where it is one of this software. */
export function heard({ name, message, fields }: ToldError): Error {
  const error = Object.assign(new Error(message), fields)
  const errorClass = CLASSES.get(name)
  if (errorClass) Object.setPrototypeOf(error, errorClass.prototype)
  error.name = name
  return error
}
