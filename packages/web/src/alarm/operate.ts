import type { AlarmAction, SystemDetail } from '@pb-oel/protocol'
import { request, systemPath } from '../api/client.ts'
import { feed } from '../feed/feeds.ts'
import { readSystems } from '../feed/systems.ts'
import { author } from '../session/session.ts'

/** Does something with an alarm, then shows the state that followed. Rejects with the server's refusal. */
export async function operate(
  system: string,
  action: AlarmAction | 'acknowledge',
  about: string | undefined,
  more: object = {},
): Promise<void> {
  const body = { ...(about !== undefined && about !== 'level' && { about }), ...more, ...author() }
  const detail = await request<SystemDetail>('POST', systemPath(system, `/alarm/${action}`), body)
  const current = feed.peek()
  if (current?.id === system) current.detail.value = detail
  await readSystems().catch(() => {})
}
