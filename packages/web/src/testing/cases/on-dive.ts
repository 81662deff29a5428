import type { openPage, TestServer } from '../page.ts'

/** What tests share that look at one dive of 400 samples: its server, and pages of one browser. */
export interface OnDive {
  server: () => TestServer
  /** Opens a page at an address. */
  open: (hash: string, options?: Parameters<typeof openPage>[3]) => ReturnType<typeof openPage>
}
