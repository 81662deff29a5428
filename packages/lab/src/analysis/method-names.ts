/** Names people know the methods by. */
const TITLES: Readonly<Record<string, string>> = {
  'pb-oel': 'PB-OEL',
  'pb-oel-plus': 'PB-OEL+',
  'pb-oel-standard': 'standard policy',
  'pb-oel-scaled': 'scaled policy',
  rvfl: 'RVFL',
  'rvfl-hddm-np': 'RVFL HDDM-NP',
  'ob-adwin': 'OB-ADWIN',
  oadac2: 'OAdaC2',
  cpssds: 'CPSSDS',
  arf: 'ARF',
  srp: 'SRP',
  'roale-di': 'ROALE-DI',
  'no-change': 'no change',
  majority: 'majority',
  flip: 'flip',
}

/** How a method, or a method with options behind it, is called in tables and figures. */
export function methodTitle(label: string): string {
  const [name, ...options] = label.split(' ')
  return [TITLES[name] ?? name, ...options].join(' ')
}

const BASELINES = new Set(['no-change', 'majority', 'flip'])

/** Whether a method is a trivial baseline: shown for scale, not ranked. */
export function isBaseline(label: string): boolean {
  return BASELINES.has(label.split(' ')[0])
}
