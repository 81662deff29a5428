// The same with the systems on two threads. The query makes it a module of its own, which files do not share.
process.env.PB_OEL_TEST_THREADS = '2'
const again: string = './durable.test.ts?on-threads'
await import(again)
delete process.env.PB_OEL_TEST_THREADS
