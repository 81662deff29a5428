import { render } from 'preact'
import 'uplot/dist/uPlot.min.css'
import './styles/index.css'
import { startAttention } from './alarm/attention.ts'
import { App } from './app.tsx'
import { startPopovers } from './chrome/popovers.ts'
import { startFeeds } from './feed/feeds.ts'
import { startSystems } from './feed/systems.ts'
import { preloadViews } from './lazy-view.tsx'
import { startRouter } from './router.ts'
import { startSession } from './session/session.ts'

/** Milliseconds until the code of seldom-used views is fetched. */
const PRELOAD = 3_000

startRouter()
startPopovers()
startFeeds()
startSystems()
startAttention()
void startSession()
render(<App />, document.getElementById('app') as HTMLElement)
setTimeout(() => requestIdleCallback(() => void preloadViews()), PRELOAD)
