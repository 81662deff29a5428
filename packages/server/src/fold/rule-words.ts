import type { AlarmSetting, Configuration } from '@pb-oel/protocol'
import type { Rule } from './alarm-rule.ts'

/**
 * A rule in words, such as "III unsafe for 2 s".
 *
 * @param staleAfter seconds without a sample after which data are stale; `null` while there is no rate
 */
export function ruleInWords(rule: Rule, configuration: Configuration, staleAfter: number | null): string {
  const { watch, setting } = rule
  const lasting = setting.raiseAfter ? ` for ${inWords(setting.raiseAfter)}` : ''
  switch (watch) {
    case 'likely':
      return `${levelWords(setting, configuration)}${lasting}`
    case 'safe-side':
      return `safe-side level ${levelWords(setting, configuration)}${lasting}`
    case 'novel':
      return `none of the known levels${lasting}`
    case 'range':
      return `${rangeWords(setting, configuration)}${lasting}`
    case 'stale': {
      const after = setting.after ?? staleAfter
      return after === null ? 'no sample for three intervals' : `no sample for ${inWords(after)}`
    }
    case 'accuracy': {
      const { target } = configuration.promises ?? {}
      return target === undefined ? 'accuracy has fallen' : `accuracy below ${round(100 * target)} %`
    }
    case 'drift':
      return 'a drift was signalled'
  }
}

function levelWords({ level = 1 }: AlarmSetting, { levels }: Configuration): string {
  return level === levels.length - 1 ? levels[level] : `${levels[level]} or worse`
}

function rangeWords({ channel = '', min, max }: AlarmSetting, { units }: Configuration): string {
  const unit = units?.[channel] === undefined ? '' : ` ${units[channel]}`
  if (min === undefined && max === undefined) return `${channel} missing or outside its plausible range`
  const limits = [min !== undefined && `below ${min}${unit}`, max !== undefined && `above ${max}${unit}`]
  return `${channel} ${limits.filter(Boolean).join(' or ')}`
}

/** Seconds as people say them: `2 s`, `5 min`, `8 h`. */
function inWords(seconds: number): string {
  if (seconds >= 3600 && seconds % 1800 === 0) return `${seconds / 3600} h`
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} min`
  return `${round(seconds)} s`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
