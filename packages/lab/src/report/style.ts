/** The look of the report, on screens wide and narrow and on paper. */
export const STYLE = `
:root { color-scheme: light; --ink: #1f2933; --faint: #5f6c7b; --line: #d9dee4; --blue: #0072b2; --tint: #eef5fa; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 1920px; padding: 0 24px 48px; color: var(--ink); background: white;
  font: 16px/1.55 Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
header { padding: 40px 0 8px; border-bottom: 3px solid var(--blue); margin-bottom: 28px; }
.product { margin: 0; color: var(--blue); font-weight: 700; letter-spacing: .02em; }
h1 { font-size: 32px; line-height: 1.2; margin: 4px 0 12px; letter-spacing: -.01em; }
.lead { font-size: 18px; color: var(--faint); max-width: 46em; margin-top: 0; }
h2 { font-size: 22px; line-height: 1.25; margin: 56px 0 12px; }
h1, h2, p, li, figcaption { overflow-wrap: anywhere; }
p { max-width: 46em; }
.findings { background: var(--tint); border-left: 4px solid var(--blue); padding: 18px 24px 10px; border-radius: 0 6px 6px 0; }
.findings h2 { margin: 0 0 6px; font-size: 19px; }
.findings ul { margin: 0; padding-left: 20px; }
.findings li { margin: 0 0 8px; max-width: 54em; }
nav ol { padding-left: 22px; columns: 2; column-gap: 40px; margin: 24px 0 0; color: var(--faint); }
nav li { break-inside: avoid; }
a { color: var(--blue); text-underline-offset: 2px; }
figure { margin: 28px 0; }
figcaption { color: var(--faint); font-size: 14px; line-height: 1.45; max-width: 62em; margin: 8px 0; }
.files { white-space: nowrap; }
.files a { margin-left: 6px; }
svg { display: block; max-width: 100%; height: auto; }
.panel svg { width: 100%; }
.single svg { max-width: min(100%, 1240px); }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 520px), 1fr)); gap: 12px 24px; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--blue); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; line-height: 1.3; min-width: 100%; }
th, td { padding: 6px 9px; text-align: right; vertical-align: top; white-space: nowrap; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--ink); vertical-align: bottom; font-weight: 600; }
th:first-child { text-align: left; position: sticky; left: 0; background: white; }
tbody th { font-weight: 400; }
td strong, th strong { font-weight: 700; }
small { display: block; font-size: 12px; color: var(--faint); }
tr.divide > * { border-top: 2px solid var(--line); }
details summary { cursor: pointer; color: var(--blue); padding: 4px 0; }
footer { margin-top: 64px; padding-top: 12px; border-top: 1px solid var(--line); color: var(--faint); font-size: 14px; }
@media (max-width: 720px) {
  body { padding: 0 16px 32px; font-size: 15px; }
  header { padding-top: 24px; }
  h1 { font-size: 25px; }
  .lead { font-size: 16px; }
  h2 { margin-top: 40px; font-size: 20px; }
  nav ol { columns: 1; }
  .findings { padding: 14px 16px 6px; }
  .single { overflow-x: auto; }
  .single svg { min-width: 640px; }
  th, td { padding: 5px 7px; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav, .files, details { display: none; }
  h2 { break-after: avoid; margin-top: 24pt; }
  figure, .panel { break-inside: avoid; }
  .panels { grid-template-columns: 1fr 1fr; }
  .scroll { overflow: visible; }
  figcaption { font-size: 9pt; }
  td, .findings { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  table { font-size: 7.5pt; min-width: 0; }
  th, td { padding: 2pt 3pt; }
  small { font-size: 6.5pt; }
  .findings { border: 1px solid var(--line); border-left: 4px solid var(--blue); }
  @page { size: A4; margin: 14mm; }
}
`
