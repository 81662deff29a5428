import type { AlarmOfSystem } from '@pb-oel/protocol'
import { effect, signal } from '@preact/signals'
import { keep, recall } from '../device/stored.ts'
import { alarmText } from '../strings/alarms.ts'
import { calling, callKey } from './calling.ts'

/** Whether this device makes a sound, and shows notifications, when an alarm begins to call. */
export const soundOn = signal(recall('alarm-sound') === 'on')
export const notifyOn = signal(recall('alarm-notify') === 'on')

/** The icon of the page while an alarm waits: the same shape as the most urgent priority. */
const ALARM_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Z" fill="#c8102e"/><path d="M8 4v5M8 11.4v.2" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>',
)}`

let known: ReadonlySet<string> | undefined
let audio: AudioContext | undefined

/** Changes the icon while alarms wait, and calls for each that begins to. */
export function startAttention(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const usual = icon?.href
  effect(() => {
    const alarms = calling.value
    if (icon && usual) icon.href = alarms.length > 0 ? ALARM_ICON : usual
    const fresh = known === undefined ? alarms : alarms.filter((alarm) => !known?.has(callKey(alarm)))
    known = new Set(alarms.map(callKey))
    if (fresh.length > 0) call(fresh)
  })
}

function call(fresh: readonly AlarmOfSystem[]): void {
  if (soundOn.peek()) beep()
  if (!notifyOn.peek() || typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  for (const alarm of fresh.slice(0, 3)) {
    const { title, rule, priority } = alarm
    const shown = new Notification(`${alarmText.priority[priority]}: ${title}`, { body: rule, tag: callKey(alarm) })
    shown.onclick = () => {
      focus()
      location.hash = '#/alarms'
      shown.close()
    }
  }
}

/** Two short tones. A browser may forbid sound until somebody has touched the page. */
function beep(): void {
  audio ??= new AudioContext()
  void audio.resume()
  for (const [tone, at] of [880, 660].entries()) {
    const [oscillator, gain] = [audio.createOscillator(), audio.createGain()]
    const begin = audio.currentTime + tone * 0.22
    oscillator.frequency.value = at
    gain.gain.setValueAtTime(0.15, begin)
    gain.gain.exponentialRampToValueAtTime(0.001, begin + 0.2)
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(begin)
    oscillator.stop(begin + 0.2)
  }
}

/** Turns the sound on or off on this device. */
export function switchSound(on: boolean): void {
  soundOn.value = on
  keep('alarm-sound', on ? 'on' : null)
  if (on) beep()
}

/** Turns notifications on or off on this device. False where the browser does not allow them. */
export async function switchNotifications(on: boolean): Promise<boolean> {
  const allowed = !on || (typeof Notification !== 'undefined' && (await Notification.requestPermission()) === 'granted')
  notifyOn.value = on && allowed
  keep('alarm-notify', notifyOn.value ? 'on' : null)
  return allowed
}
