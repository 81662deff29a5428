/**
 * The public API of @pb-oel/server: start the service, replay a store, assess lines.
 *
 * @packageDocumentation
 */

// Running
export type { GivenWhatIf as WhatIf, Role, WhatIfResult as WhatIfReport } from '@pb-oel/protocol'
export { assessLines, type LineRun } from './assess-lines.ts'
export { createToken } from './auth/create-token.ts'
export type { Config } from './config.ts'
export { readConfig } from './config.ts'
// Errors
export { ChainError, ReplayDifference, ServiceError, SetupError, StorageError } from './errors.ts'
// Looking back
export { EXPORT_FORMATS } from './export/export-formats.ts'
export type { StoredExport } from './export/export-stored.ts'
export { exportStored } from './export/export-stored.ts'
// History
export type { History, HistoryRow, ImportReport, ImportWatch } from './history/history.ts'
export { placesOf, rowKey, rowOfKey } from './history/history.ts'
export { importHistory } from './history/import-history.ts'
export type { CopiedSystem } from './log/copy-log.ts'
export { copyLog } from './log/copy-log.ts'
export { NatsLog } from './log/nats/nats-log.ts'
export { NatsLogReader } from './log/nats/nats-log-reader.ts'
export { SERVER_LOG } from './log/record.ts'
export { SqliteLog, SqliteLogReader } from './log/sqlite-log.ts'
export type { CertificateWish, SystemCertificate } from './replay/certify-system.ts'
export { certifySystem } from './replay/certify-system.ts'
export type { ReplayReport } from './replay/replay.ts'
export { replaySystem, verifyServerLog } from './replay/replay.ts'
export { whatIf } from './replay/what-if.ts'
export type { RunningServer } from './serve.ts'
export { serve } from './serve.ts'
export type { ServeOptions } from './start/serve-options.ts'
