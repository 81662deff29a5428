import type { App } from './context.ts'

/** Notes every route, so that an address that exists is told apart from one that does not. */
export class AllowedMethods {
  private readonly routes: { address: RegExp; methods: string[] }[] = []

  constructor(app: App) {
    app.addHook('onRoute', ({ url, method }) => {
      // The page takes every address; that says nothing about any of them.
      if (url.includes('*')) return
      const address = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
      this.routes.push({ address, methods: [method].flat() })
    })
  }

  /** The methods that an address takes; none when there is no such address. */
  at(address: string): string[] {
    return [...new Set(this.routes.flatMap((route) => (route.address.test(address) ? route.methods : [])))].sort()
  }
}
