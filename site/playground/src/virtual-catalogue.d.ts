declare module 'virtual:catalogue' {
  import type { Catalogue } from './settings/catalogue.ts'

  const catalogue: Catalogue
  export default catalogue
}
