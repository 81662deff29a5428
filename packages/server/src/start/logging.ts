import type { Telemetry } from '../telemetry/telemetry.ts'

/** Writes lines of the log where they always go, and tells of them. */
export function alsoTelling(telemetry: Telemetry): { write: (line: string) => void } {
  return {
    write: (line) => {
      process.stdout.write(line)
      telemetry.line(line)
    },
  }
}

/** Structured lines without secrets: no headers, and no query in an address. */
export function loggerOptions(level: string): object {
  return {
    level,
    serializers: {
      req: ({ method, url, ip }: { method: string; url: string; ip: string }) => ({
        method,
        path: url.split('?')[0],
        ip,
      }),
    },
  }
}
