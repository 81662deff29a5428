import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import '../../../packages/web/src/styles/tokens.css'
import '../../../packages/web/src/styles/base.css'
import '../../../packages/web/src/styles/layout.css'
import '../../../packages/web/src/chrome/chrome.css'
import '../../../packages/web/src/charts/charts.css'
import '../../../packages/web/src/channels/channels.css'
import '../../../packages/web/src/level/level.css'
import '../../../packages/web/src/forms/forms.css'
import './playground.css'
import { App } from './app.tsx'
import { startDropping } from './file/dropping.ts'
import { takeFile } from './state.ts'

startDropping((file) => void takeFile(file))
render(<App />, document.getElementById('app') as HTMLElement)
