/** Limits on what a client may ask of the server. */
export interface Limits {
  /** Bytes of a JSON body. A stream of lines has no limit but one per line. */
  bodyBytes: number
  /** Requests per second from one address. */
  requestsPerSecond: number
  /** Connections at once. */
  connections: number
  /** Connections at once from one address; behind a trusted proxy all have the same, and this does not count. */
  connectionsPerAddress: number
  /** Seconds the head of a request may take to arrive. */
  headSeconds: number
  /** Event streams at once. */
  streams: number
  /** Seconds a connection may rest, and a body may take to arrive. */
  idleSeconds: number
  /** Megabytes of memory that the model of a new system may take. */
  systemMegabytes: number
  /** Seconds after which one operation on a system is taken for endless, and its thread is ended. */
  operationSeconds: number
}

/** The limits unless configured otherwise. */
export const LIMITS: Limits = {
  bodyBytes: 1 << 20,
  requestsPerSecond: 5_000,
  connections: 1_000,
  connectionsPerAddress: 500,
  headSeconds: 10,
  streams: 100,
  idleSeconds: 60,
  systemMegabytes: 256,
  operationSeconds: 10,
}
