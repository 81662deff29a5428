import { isBaseline } from '../experiment/method-names.ts'

/** How a line is drawn: colour, dashes, width. Lines differ in two of the three, so colour alone never tells. */
export interface Look {
  colour: string
  /** SVG dash pattern, `none` for a solid line. */
  dash: string
  width: number
}

// One hue for each method, the first seven after Okabe and Ito; all dark enough for white paper. charts.test.ts holds
// that any two are far apart.
const BLUE = '#0072b2'
const VERMILION = '#d55e00'
const GREEN = '#009e73'
const ORANGE = '#e69f00'
const SKY = '#56b4e9'
const PINK = '#e377c2'
const OLIVE = '#8f8a00'
const BLACK = '#1f2933'
const GREY = '#7b8794'
const PURPLE = '#6a3d9a'
const BROWN = '#8c4a2f'
const CRIMSON = '#b3003c'
const LIME = '#7fc41c'
const TURQUOISE = '#00b8b8'

const KNOWN: Readonly<Record<string, Look>> = {
  'pb-oel': { colour: BLUE, dash: 'none', width: 2.8 },
  'pb-oel-plus': { colour: VERMILION, dash: 'none', width: 2.8 },
  'pb-oel-standard': { colour: CRIMSON, dash: '6 3', width: 1.8 },
  'pb-oel-scaled': { colour: LIME, dash: '2 2', width: 1.8 },
  srp: { colour: GREEN, dash: 'none', width: 1.5 },
  arf: { colour: ORANGE, dash: 'none', width: 1.5 },
  'rvfl-hddm-np': { colour: SKY, dash: '7 3', width: 1.6 },
  rvfl: { colour: TURQUOISE, dash: '2 2', width: 1.6 },
  'ob-adwin': { colour: PINK, dash: 'none', width: 1.5 },
  oadac2: { colour: PURPLE, dash: '6 3', width: 1.5 },
  'roale-di': { colour: OLIVE, dash: '6 2 2 2', width: 1.5 },
  cpssds: { colour: BROWN, dash: '2 2', width: 1.5 },
}

const OTHERS = [BLACK, CRIMSON, LIME, PURPLE, BROWN, TURQUOISE]
const DASHES = ['none', '6 3', '2 2', '6 2 2 2']
const BASELINE_DASHES = ['1 3', '5 4', '8 3 1 3']

/** The look of each method, by label; the methods of the paper always look the same. */
export function looks(labels: readonly string[]): (label: string) => Look {
  let others = 0
  let baselines = 0
  const all = new Map(
    labels.map((label) => {
      if (KNOWN[label]) return [label, KNOWN[label]]
      if (isBaseline(label)) return [label, { colour: GREY, dash: BASELINE_DASHES[baselines++ % 3], width: 1.3 }]
      const at = others++
      return [
        label,
        {
          colour: OTHERS[at % OTHERS.length],
          dash: DASHES[Math.floor(at / OTHERS.length) % DASHES.length],
          width: 1.6,
        },
      ]
    }),
  )
  return (label) => all.get(label) as Look
}
