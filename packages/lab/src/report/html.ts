import { escapeText as escapeSvg } from '../charts/svg.ts'
import type { Report, ReportFigure, ReportSection, ReportTable, TableCell } from './report.ts'
import { slug } from './report.ts'
import { STYLE } from './style.ts'

/** The report as one HTML file that needs nothing beside it. */
export function toHtml(report: Report): string {
  const { title, introduction, findings, sections, colophon } = report
  const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${escapeText(item)}</li>`).join('')}</ul>`
  const contents = sections
    .map(({ heading }) => `<li><a href="#${slug(heading)}">${escapeText(heading)}</a></li>`)
    .join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="product">pb-oel lab</p>
<h1>${escapeText(title)}</h1>
<p class="lead">${escapeText(introduction)}</p>
</header>
<main>
<section class="findings" aria-labelledby="findings"><h2 id="findings">In short</h2>${list(findings)}</section>
<nav aria-label="Contents"><ol>${contents}</ol></nav>
${sections.map(sectionHtml).join('\n')}
</main>
<footer>${colophon.map((line) => `<p>${escapeText(line)}</p>`).join('')}</footer>
</body>
</html>
`
}

function sectionHtml({ heading, paragraphs, items }: ReportSection): string {
  const words = paragraphs.map((text) => `<p>${escapeText(text)}</p>`).join('\n')
  const shown = items.map((item) => (item.kind === 'table' ? tableHtml(item) : figureHtml(item))).join('\n')
  return `<section><h2 id="${slug(heading)}">${escapeText(heading)}</h2>\n${words}\n${shown}\n</section>`
}

/** Rows a table shows at once; longer ones are folded up. */
const LONG = 30

function tableHtml({ name, caption, header, rows, divideAt }: ReportTable): string {
  const head = header.map((text) => `<th scope="col">${escapeText(text)}</th>`).join('')
  const body = rows
    .map((row, i) => `<tr${i === divideAt ? ' class="divide"' : ''}>${row.map(cellHtml).join('')}</tr>`)
    .join('\n')
  const files = `<span class="files"><a href="${name}.csv">CSV</a> <a href="${name}.tex">LaTeX</a></span>`
  const table = `<div class="scroll" tabindex="0" role="region" aria-label="${escapeSvg(caption.split('.')[0])}"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`
  const shown = rows.length > LONG ? `<details><summary>Show ${rows.length} rows</summary>${table}</details>` : table
  return `<figure class="table"><figcaption>${escapeText(caption)} ${files}</figcaption>${shown}</figure>`
}

function cellHtml({ text, strong, note, tone }: TableCell, column: number): string {
  const shade = tone === undefined ? '' : ` style="background:${toneColour(tone)}"`
  const inner = `${strong ? `<strong>${escapeText(text)}</strong>` : escapeText(text)}${note === undefined ? '' : `<small>${escapeText(note)}</small>`}`
  return column === 0 ? `<th scope="row">${inner}</th>` : `<td${shade}>${inner}</td>`
}

/** Blue for better, orange for worse, paler for less. */
function toneColour(tone: number): string {
  const strength = (0.45 * Math.sqrt(Math.abs(tone))).toFixed(3)
  return tone < 0 ? `rgba(230,159,0,${strength})` : `rgba(0,114,178,${strength})`
}

function figureHtml({ name, caption, description, panels, columns }: ReportFigure): string {
  const drawn = panels.map(
    (panel) =>
      `<div class="panel">${panel.replace('<svg ', `<svg role="img" aria-label="${escapeSvg(description)}" `)}</div>`,
  )
  const files = `<span class="files"><a href="${name}.svg">SVG</a> <a href="${name}.png">PNG</a></span>`
  const shape = columns > 1 && panels.length > 1 ? 'panels' : 'single'
  return `<figure><div class="${shape}">${drawn.join('')}</div><figcaption>${escapeText(caption)} ${files}</figcaption></figure>`
}

/** Text for HTML, with spaces that keep a figure and what belongs to it on one line. */
function escapeText(text: string): string {
  return escapeSvg(text)
    .replaceAll(/([ρκcα]) = (?=[\d−])/g, '$1\u00a0=\u00a0')
    .replaceAll(' %', '\u00a0%')
}
