import { type AccuracyTable, cellOf } from '../analysis/accuracy-table.ts'
import { rivalTests } from '../analysis/comparison.ts'
import { bestPoint, type Landscape, regions } from '../analysis/landscape.ts'
import { PAPER, paperAccuracy } from '../analysis/paper.ts'
import { isBaseline, methodTitle } from '../experiment/method-names.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { mean } from '../statistics/summary.ts'
import { listed, three } from './report.ts'

/** What the table of a stream says: where PB-OEL wins and loses, and what persistence alone is worth. */
export function tableWords(table: AccuracyTable): string[] {
  if (!table.methods.includes('pb-oel')) return [standing(table, bestOverall(table))]
  return [standing(table, 'pb-oel'), whereItWins(table), persistence(table), besidePaper(table)].filter(
    (words) => words !== '',
  )
}

/** The first sentence of each of the first three paragraphs: what belongs on the first page. */
export function tableFindings(table: AccuracyTable): string[] {
  return tableWords(table)
    .slice(0, 3)
    .map((words) => words.match(/^.*?\.(?= [A-Z]|$)/)?.[0] ?? words)
}

function bestOverall({ methods, averages }: AccuracyTable): string {
  return methods.reduce((best, method) => (averages[method] > averages[best] ? method : best))
}

/** Place of a method by average accuracy, among the paper's methods and among all. */
function standing(table: AccuracyTable, method: string): string {
  const { averages, stream } = table
  const all = table.methods.filter((other) => !isBaseline(other))
  const inPaper = all.filter((other) => other in PAPER.accuracy)
  const own = averages[method]
  const above = all.filter((other) => averages[other] > own)
  const title = methodTitle(method)
  const average = `an average accuracy of ${three(own)} over all shares of labels`
  if (all.length === 1) return `On ${stream}, ${title} reaches ${average}.`
  const behind = all.filter((other) => other !== method && averages[other] <= own)
  const next = behind.sort((a, b) => averages[b] - averages[a])[0]
  const lead = next ? `, ${three(own - averages[next])} ahead of ${methodTitle(next)} (${three(averages[next])})` : ''
  if (above.length === 0)
    return `On ${stream}, ${title} has the highest average accuracy of the ${all.length} methods: ${average}${lead}.`
  const leaders = listed(
    above.sort((a, b) => averages[b] - averages[a]).map((other) => `${methodTitle(other)} (${three(averages[other])})`),
  )
  if (inPaper.length > 1 && !above.some((other) => inPaper.includes(other))) {
    return `On ${stream}, ${title} has the highest average accuracy of the ${inPaper.length} methods of the paper: ${average}${lead}; above it stands ${leaders}, which is not in the paper.`
  }
  return `On ${stream}, ${title} is number ${above.length + 1} of ${all.length} with ${average}, behind ${leaders}${lead === '' ? '' : `, and${lead.slice(1)}`}.`
}

/** Where PB-OEL stands among the methods that are not its own kin. */
function whereItWins(table: AccuracyTable): string {
  const rivals = rivalTests(table, 'pb-oel').filter(({ rival }) => !isBaseline(rival) && !rival.startsWith('pb-oel'))
  if (rivals.length === 0) return ''
  const own = (rho: number) => cellOf(table, 'pb-oel', rho).mean
  const lost = table.rhos.flatMap((rho) => {
    const better = rivals.filter(({ losses }) => losses.includes(rho)).map(({ rival }) => cellOf(table, rival, rho))
    const best = better.sort((a, b) => b.mean - a.mean)[0]
    return best ? [{ rho, best }] : []
  })
  const won = table.rhos.filter((rho) => !lost.some((loss) => loss.rho === rho))
  const wins =
    won.length > 0
      ? `Against its rivals PB-OEL is best or level with the best ${where(won, table)}.`
      : 'PB-OEL is best at no share of labels.'
  const losses = [...Map.groupBy(lost, ({ best }) => best.method)].map(([method, shares]) => {
    const gaps = shares.map(({ rho, best }) => best.mean - own(rho))
    const [low, high] = [three(Math.min(...gaps)), three(Math.max(...gaps))]
    const by = low === high ? low : `${low} to ${high}`
    return `${methodTitle(method)} ${where(
      shares.map(({ rho }) => rho),
      table,
    )} (by ${by})`
  })
  const always = rivals.filter(({ wins }) => wins.length === table.rhos.length).map(({ rival }) => methodTitle(rival))
  const beaten = always.length > 0 ? ` It is ahead of ${listed(always)} at every share.` : ''
  return `${wins}${losses.length > 0 ? ` It loses to ${listed(losses)}.` : ''}${beaten}`
}

function where(rhos: readonly number[], table: AccuracyTable): string {
  return rhos.length === table.rhos.length ? 'at every share of labels' : `at ρ = ${listed(rhos.map(String))}`
}

/** What repeating the previous level is worth, and so what accuracy is worth. */
function persistence(table: AccuracyTable): string {
  const own = table.cells.filter(({ method }) => method === 'pb-oel')
  const results = own.flatMap(({ results }) => results.map(({ result }) => result))
  const oracle = mean(results.map(({ noChange }) => noChange))
  const temporal = mean(results.map(({ kappaTemporal }) => kappaTemporal))
  const beats = own.filter((cell) => cell.mean > oracle).map(({ rho }) => rho)
  const verdict =
    beats.length === 0
      ? 'PB-OEL stays below it everywhere'
      : beats.length === own.length
        ? 'PB-OEL is above it everywhere'
        : `PB-OEL is above it only at ρ = ${listed(beats.map(String))}`
  const words = `Repeating the previous true level, which nobody is told in time, would score ${three(oracle)}; ${verdict} (κ-temporal ${temporal.toFixed(2).replace('-', '−')} on average).`
  const persists =
    oracle > 0.9
      ? ' Levels on this stream persist, so high accuracies are cheap: what counts is how fast a method follows a change, and how few labels it needs.'
      : ''
  if (!table.methods.includes('no-change')) return words + persists
  const cells = table.cells.filter(({ method }) => method === 'no-change')
  const above = cells.filter((cell, i) => cell.mean > own[i].mean).map(({ rho }) => rho)
  const told = `The no-change baseline, which repeats the last level it was told, averages ${three(table.averages['no-change'])}`
  const compared =
    above.length === 0
      ? ' and is nowhere ahead of PB-OEL.'
      : ` and is ahead of PB-OEL at ρ = ${listed(above.map(String))}.`
  return `${words} ${told}${compared}${persists}`
}

function besidePaper(table: AccuracyTable): string {
  if (!/^(dive|jiaolong)/i.test(table.stream)) return ''
  const pairs = table.cells.flatMap(({ method, rho, mean }) => {
    const theirs = paperAccuracy(method, rho)
    return theirs === undefined ? [] : [{ method, rho, gap: mean - theirs }]
  })
  if (pairs.length === 0) return ''
  const own = pairs.filter(({ method }) => method === 'pb-oel')
  const size = (some: typeof pairs) => three(mean(some.map(({ gap }) => Math.abs(gap))))
  const widest = pairs.reduce((a, b) => (Math.abs(b.gap) > Math.abs(a.gap) ? b : a))
  const why = /^dive/i.test(table.stream)
    ? ' The simulated dive has the shape of the recording but not its samples, so agreement in order counts for more than agreement in digits; pb-oel data get jiaolong fetches the recording.'
    : ''
  return `Beside the paper's Table I, the mean absolute difference is ${size(own)} for PB-OEL and ${size(pairs)} over all methods; it is widest for ${methodTitle(widest.method)} at ρ = ${widest.rho} (${widest.gap < 0 ? '−' : '+'}${three(Math.abs(widest.gap))}).${why}`
}

/** Whether a landscape shows what the paper found. */
export function landscapeWords(landscape: Landscape): string {
  const { rho, points } = landscape
  const best = bestPoint(landscape)
  const { recommended, elsewhere, capped } = regions(landscape)
  const cut = points.filter((point) => point.capped).length
  const cutWords =
    cut === 0
      ? 'γ is nowhere cut to 1.'
      : `At ${cut} of ${points.length} points γ is cut to 1, the answer to partial feedback is a guess, and accuracy averages ${three(capped)}.`
  const inRegion = Number.isNaN(recommended)
    ? ''
    : ` Within the region the paper recommends it averages ${three(recommended)}, elsewhere ${three(elsewhere)}.`
  return `ρ = ${rho}: the best point is c = ${best.c}, α = ${best.alpha} with ${three(best.accuracy)}.${inRegion} ${cutWords}`
}

/** How accuracy and guarantee compare over all runs of the policies. */
export function boundWords(results: readonly ExperimentResult[]): string {
  const bounded = results.filter(({ result }) => result.bound.value !== null)
  const applying = bounded.filter(({ result }) => result.bound.applies)
  const kept = applying.filter(({ result }) => result.accuracy >= (result.bound.value as number))
  const reasons = [
    ...new Set(bounded.flatMap(({ result }) => (result.bound.applies ? [] : [result.bound.reason ?? '']))),
  ]
  const slack = mean(applying.map(({ result }) => result.accuracy - (result.bound.value as number)))
  const regret = mean(applying.map(({ result }) => result.bound.regret as number))
  if (applying.length === 0) return `The guarantee applies to none of the runs: ${listed(reasons)}.`
  const outside = bounded.length - applying.length
  const empty = applying.filter(({ result }) => (result.bound.value as number) < 0).length
  const vacuous =
    empty > 0 ? ` In ${empty} of them it is below zero: true, but on a stream this short it says nothing.` : ''
  return `The guarantee applies to ${applying.length} of ${bounded.length} runs${outside > 0 ? ` (elsewhere: ${listed(reasons)})` : ''} and was kept in ${kept.length}. Accuracy stands ${three(slack)} above it on average; the regret really paid against the ultimate bound is ${three(regret)}.${vacuous}`
}
