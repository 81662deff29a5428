import { type Static, Type } from '@sinclair/typebox'
import { milliseconds } from './field.ts'

/** The right to follow the events of one system, for a short time. */
export const EventTicket = Type.Object({
  ticket: Type.String({ description: 'goes into the query of /events' }),
  expires: milliseconds('a stream must have been opened before'),
  url: Type.String({ description: 'address to open, from the root of the server' }),
})
export type EventTicket = Static<typeof EventTicket>
