import { serve } from '../serve.ts'

// A server in a process of its own, so that tests can kill it: options as JSON in, `listening <url>` out.
const server = await serve(JSON.parse(process.argv[2]))
process.once('SIGTERM', () => void server.stop())
await server.recovered
process.stdout.write(`listening ${server.url}\n`)
