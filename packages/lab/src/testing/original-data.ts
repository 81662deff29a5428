import { zip } from './zip.ts'

const range = (length: number) => Array.from({ length }, (_, i) => i)
const lines = (rows: readonly string[]) => rows.map((row) => `${row}\r\n`).join('')

/** An experiment of SKAB with a sample of a fault between two normal ones. `mark` is its current. */
function experiment(mark: number): string {
  const head =
    'datetime;Accelerometer1RMS;Accelerometer2RMS;Current;Pressure;Temperature;Thermocouple;Voltage;Volume Flow RateRMS;anomaly;changepoint'
  const row = (anomaly: number) => `2020-03-09 10:14:33;0.02;0.04;${mark};-0.27;79.3;26;233;32.0;${anomaly}.0;0.0`
  return lines([head, row(0), row(1), row(0)])
}

/** `rows` samples of the Tennessee Eastman process; the first variable of each is `fault` and its number. */
function process(fault: number, rows: number): number[][] {
  return range(rows).map((sample) => range(52).map((variable) => (variable === 0 ? fault * 1000 + sample : variable)))
}
const dat = (table: readonly number[][]) =>
  lines(table.map((row) => row.map((value) => `   ${value.toExponential(7)}`).join('')))
const sideways = (table: readonly number[][]) => range(52).map((variable) => table.map((sample) => sample[variable]))

const hydraulic = [3, 3, 20, 100]
const room = (rows: number, occupied: number) =>
  lines([
    '"date","Temperature","Humidity","Light","CO2","HumidityRatio","Occupancy"',
    ...range(rows).map(
      (i) => `"${i + 140}","2015-02-02 14:19:00",23.7,26.272,585.2,749.2,0.00476416302416414,${occupied}`,
    ),
  ])
const machine = (product: string, failure: number) =>
  `1,${product}14860,${product},298.1,308.6,1551,42.8,0,${failure},0`
const mosquitoes = ['cx-male', 'ae-female', 'ae-female', 'x', 'cx-male', 'x', 'x', 'ae-female', 'x', 'ae-female', 'x']

/** What each address gives, made small: the same files, columns and separators, in the same places. */
export const ORIGINAL_DATA: Readonly<Record<string, Buffer>> = {
  skab: zip({
    'SKAB-master/README.md': '# SKAB',
    'SKAB-master/data/anomaly-free/anomaly-free.csv': 'datetime;Current',
    ...Object.fromEntries(
      ['valve1/10', 'valve1/2', 'valve1/0', 'other/1', 'other/11', 'valve2/0'].map((name, i) => [
        `SKAB-master/data/${name}.csv`,
        experiment(i),
      ]),
    ),
  }),
  tep5: zip({
    'p-master/d00.dat': dat(sideways(process(0, 120))),
    'p-master/d00_te.dat': dat(process(0, 3)),
    ...Object.fromEntries(
      [1, 4, 8, 12].flatMap((fault) => {
        const name = `p-master/d${String(fault).padStart(2, '0')}`
        return [
          [`${name}.dat`, dat(process(fault, 2))],
          [`${name}_te.dat`, dat(process(fault, 162))],
        ]
      }),
    ),
  }),
  hydcooler: zip({
    ...Object.fromEntries(
      [1, 2, 3, 4].map((sensor) => [
        `TS${sensor}.txt`,
        lines(
          hydraulic.map((_, cycle) =>
            range(60)
              .map((i) => (10 * sensor + cycle + (i % 2)).toFixed(3))
              .join('\t'),
          ),
        ),
      ]),
    ),
    'profile.txt': lines(hydraulic.map((condition) => `${condition}\t100\t0\t130\t1`)),
  }),
  occupancy: zip({ 'datatest.txt': room(9_990, 1), 'datatraining.txt': room(20, 0), 'datatest2.txt': room(1, 1) }),
  ai4i: zip({
    'ai4i2020.csv': lines([
      '\uFEFFUDI,Product ID,Type,Air temperature [K],Process temperature [K],Rotational speed [rpm],Torque [Nm],Tool wear [min],Machine failure,TWF',
      machine('M', 0),
      machine('L', 0),
      machine('H', 1),
    ]),
  }),
  insects: Buffer.from(lines(mosquitoes.map((name, i) => [...range(33).map((f) => i + f / 100), name].join()))),
  keystroke: Buffer.from(
    lines([
      '@relation keystroke',
      ...range(10).map((i) => `@attribute Att${i + 1} numeric`),
      '@attribute class {1,2,3,4}',
      '@data',
      '0.0978,0.0634,0.043,0.6265,0.5054,0.1502,0.0798,0.0507,0.1945,0.1461,3',
      '0.3723,0.5354,0.7529,0.2238,0.8424,0.4204,0.5123,0.1349,0.1892,0.51,1',
    ]),
  ),
}
