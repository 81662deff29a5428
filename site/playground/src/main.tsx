import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import '../../../packages/web/src/styles/tokens.css'
import '../../../packages/web/src/styles/base.css'
import './playground.css'
import { App } from './app.tsx'
import { startDropping } from './file/dropping.ts'
import { takeFile } from './state.ts'

startDropping((file) => void takeFile(file))
render(<App />, document.getElementById('app') as HTMLElement)
