// The same with the systems on two threads.
process.env.PB_OEL_TEST_THREADS = '2'
await import('./durable.test.ts')
