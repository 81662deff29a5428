import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDS, expectSound } from '../testing/axe.ts'
import { CHROMIUM, go, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

const CHANNELS = ['accelerometer', 'current', 'pressure', 'temperature']

/** A file like SKAB's: channels that tell the level, and a level in the last column. */
function plantFile(rows: number): Buffer {
  const lines = Array.from({ length: rows }, (_, t) => {
    const level = Math.floor(t / 40) % 3
    return [...CHANNELS.map((_, c) => (level * (c + 1) + Math.sin(t * (c + 1)) / 5).toFixed(4)), level].join(',')
  })
  return gzipSync([[...CHANNELS, 'label'].join(','), ...lines].join('\n'))
}

describe.skipIf(!CHROMIUM)(`set-up in the page${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-setup-'))
  const file = join(folder, 'skab.csv.gz')

  beforeAll(async () => {
    writeFileSync(file, plantFile(1_200))
    server = await TestServer.start()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('a system is live from a labelled file in at most 12 actions, and has learned the file', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/')
    let actions = 0
    const act = async (step: Promise<unknown>) => {
      actions++
      await step
    }
    await act(page.getByRole('link', { name: 'New system' }).click())
    await act(page.getByLabel('CSV file', { exact: true }).setInputFiles(file))
    await page.getByText('1,200 rows, 4 channels').waitFor()
    expect(await page.getByLabel('Use label as').inputValue()).toBe('level')
    await act(page.getByLabel('Name of level 1').fill('normal'))
    await act(page.getByRole('button', { name: 'Create the system' }).click())
    await page.getByRole('heading', { name: 'Channels' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Playing skab: row' }).waitFor()
    await page.getByRole('heading', { name: 'Level now' }).waitFor()
    expect(actions).toBeLessThanOrEqual(12)
    const { configuration, counts, trained } = await server.call('GET', '/v1/systems/skab')
    expect(configuration).toMatchObject({ channels: CHANNELS, levels: ['normal', '1', '2'], ask: { perThousand: 50 } })
    expect(counts.labels).toBe(1_080)
    expect(trained).toBe(true)
    // The rest arrives, without its labels.
    await expect.poll(async () => (await server.call('GET', '/v1/systems/skab')).samples).toBeGreaterThan(1_080)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('Playing skab').waitFor({ state: 'detached' })
    expect((await server.call('GET', '/v1/systems/skab')).counts.labels).toBe(1_080)
    expect(errors).toEqual([])
    await context.close()
  })

  it('other uses of the columns and another order of the levels reach the server', async () => {
    const other = join(folder, 'pump.csv')
    const rows = Array.from(
      { length: 60 },
      (_, t) => `2026-01-01T00:00:${String(t).padStart(2, '0')}Z,${t},${t % 7},${t % 2 ? 'bad' : 'fine'}`,
    )
    writeFileSync(other, ['time,flow,heat,mood', ...rows].join('\n'))
    const { page, context } = await openPage(browser, server, '#/new')
    await page.getByLabel('CSV file', { exact: true }).setInputFiles(other)
    expect(await page.getByLabel('Use time as').inputValue()).toBe('time')
    await page.getByLabel('Use heat as').selectOption('left out')
    await page.getByLabel('Unit of flow').fill('l/s')
    await page.getByLabel('Largest plausible value of flow').fill('100')
    await page.getByRole('button', { name: 'Move bad up: safer' }).click()
    await page.getByRole('button', { name: 'Move fine up: safer' }).click()
    await page.getByLabel('Labelled rows').selectOption('Learn everything')
    await page.getByLabel('Title', { exact: true }).fill('Pump 7')
    await page.getByRole('button', { name: 'Create the system' }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    const { configuration, samples } = await server.call('GET', '/v1/systems/pump-7')
    expect(configuration).toMatchObject({
      ...{ title: 'Pump 7', channels: ['flow'], levels: ['fine', 'bad'], units: { flow: 'l/s' } },
      ranges: { flow: { max: 100 } },
    })
    expect(samples).toBe(60)
    const { records } = await server.call('GET', '/v1/systems/pump-7/log?kinds=sample&limit=1')
    expect(records[0].body.at).toBe(Date.UTC(2026, 0, 1))
    await context.close()
  })

  it('says what is wrong with a file, and with a name that is taken, and keeps what was typed', async () => {
    const wrong = join(folder, 'wrong.csv')
    writeFileSync(wrong, 'a,b\n')
    const { page, context } = await openPage(browser, server, '#/new')
    await page.getByLabel('CSV file', { exact: true }).setInputFiles(wrong)
    await page.getByRole('alert').filter({ hasText: 'wrong.csv: fewer than two rows' }).waitFor()
    await page.getByText('Sent by sensors').click()
    await page.getByLabel('Name of channel 1', { exact: true }).fill('depth')
    await page.getByLabel('Title', { exact: true }).fill('dive')
    await page.getByRole('button', { name: 'Create the system' }).click()
    await page.getByRole('alert').filter({ hasText: 'Not created: there is a system dive already' }).waitFor()
    expect(await page.getByLabel('Name of channel 1', { exact: true }).inputValue()).toBe('depth')
    await context.close()
  })

  it('a snippet that is pasted into a shell makes the light green', async () => {
    const { page, context } = await openPage(browser, server, '#/new')
    await page.getByText('Sent by sensors').click()
    await page.getByLabel('Name of channel 1', { exact: true }).fill("keel's depth")
    await page.getByLabel('Title', { exact: true }).fill('Boat')
    await page.getByRole('button', { name: 'Create the system' }).click()
    await page.getByText('Waiting for the first sample').waitFor()
    const shell = promisify(execFile)
    const command = await page.locator('.snippet').textContent()
    await shell('sh', ['-c', command as string])
    await page.getByText(/^Connected: 1 sample, /).waitFor()
    await page.getByText('Line protocol').click()
    await shell('sh', ['-c', (await page.locator('.snippet').textContent()) as string])
    await page.getByText(/^Connected: 2 samples, /).waitFor()
    await context.close()
  })

  it('settings are changed and recorded', async () => {
    const { page, context } = await openPage(browser, server, '#/systems/pump-7/settings')
    await page.getByLabel('Title', { exact: true }).fill('Pump seven')
    await page.getByLabel('Name of level 2').fill('broken')
    await page.getByLabel('Raised after, in seconds', { exact: true }).fill('3')
    await page.getByLabel('Unit of flow').fill('')
    await page.getByLabel('Questions per thousand samples').fill('20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { configuration } = await server.call('GET', '/v1/systems/pump-7')
    expect(configuration).toMatchObject({ title: 'Pump seven', levels: ['fine', 'broken'], ask: { perThousand: 20 } })
    expect(configuration.alarm.raiseAfter).toBe(3)
    expect(configuration.units).toBeUndefined()
    await page.getByLabel('Name of the new level').fill('lost')
    await page.getByRole('button', { name: 'Add the level' }).click()
    await page.getByText('Added lost.').waitFor()
    expect((await server.call('GET', '/v1/systems/pump-7')).levels).toEqual(['fine', 'broken', 'lost'])
    await context.close()
  })

  it('a system is archived, restored and deleted, the latter only by its name', async () => {
    await server.call('POST', '/v1/systems', { id: 'old', channels: ['a'], levels: ['safe', 'unsafe'] })
    const { page, context } = await openPage(browser, server, '#/systems/old/settings')
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Archive' }).waitFor()
    const remove = page.getByRole('button', { name: 'Delete for good' })
    expect(await remove.isDisabled()).toBe(true)
    await page.getByLabel('Name of the system').fill('old')
    await remove.click()
    await page.getByRole('heading', { name: 'Systems' }).waitFor()
    await expect(server.call('GET', '/v1/systems/old')).rejects.toThrow('404')
    await context.close()
  })

  it('axe finds nothing in settings, a connected system and a chosen file, on a desk and a phone, in both themes', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/skab/settings', { bypassCSP: true })
    await page.getByRole('button', { name: 'Save' }).waitFor()
    await expectSound(page, undefined, ENDS)
    await go(page, '#/systems/skab/connect')
    await page.getByText(/^Connected/).waitFor()
    await page.getByRole('radio', { name: 'MQTT, own topics' }).check()
    await page.getByText(/^The example becomes .+ = 3\.2\.$/).waitFor()
    await page.getByLabel('Message of an example').fill('high')
    await page.getByText('message/value: expected a number, got nothing').waitFor()
    await expectSound(page, undefined, ENDS)
    await go(page, '#/new')
    await page.getByLabel('CSV file', { exact: true }).setInputFiles(file)
    await page.getByText('1,200 rows, 4 channels').waitFor()
    await expectSound(page, undefined, ENDS)
    expect(errors).toEqual([])
    await context.close()
  })

  it('an admin makes a token that a person signs in with, and revokes it', async () => {
    const { page, context } = await openPage(browser, server, '#/nowhere')
    let arrive = () => {}
    const list = new Promise<void>((done) => {
      arrive = done
    })
    await page.route('**/v1/tokens', async (route) => {
      await list
      await route.continue()
    })
    await go(page, '#/people')
    await page.getByRole('heading', { name: 'People' }).waitFor()
    const make = page.getByRole('button', { name: 'Make the token' })
    // Whether the next token is the first, which must be an admin's, is not known yet.
    expect(await make.count()).toBe(0)
    arrive()
    await page.getByLabel('Name', { exact: true }).fill('root')
    await make.click()
    await page.getByText('The token of root.').waitFor()
    server.token = (await page.locator('code.snippet').textContent()) as string
    await page.getByLabel('Name', { exact: true }).fill('eva')
    await page.getByLabel('Role').selectOption('viewer')
    await make.click()
    await page.getByText('The token of eva.').waitFor()
    const token = (await page.locator('code.snippet').textContent()) as string
    const eva = await openPage(browser, server, '#/people', { token })
    await eva.page.getByText('Only an admin of all systems').waitFor()
    await eva.page.goto(`${server.url}/#/new`)
    await eva.page.getByText('Only an admin can create a system.').waitFor()
    await page.getByRole('button', { name: 'Revoke the token of eva' }).click()
    await page.getByRole('button', { name: 'Revoke the token of eva' }).click()
    await page.getByRole('rowheader', { name: 'eva' }).waitFor({ state: 'detached' })
    await eva.page.reload()
    await eva.page.getByLabel('Access token').waitFor()
    // A snippet of a server with tokens holds the token of its sensor.
    await page.goto(`${server.url}/#/systems/boat/connect`)
    await page.getByRole('button', { name: 'Make a token for this sensor' }).click()
    await page.locator('.snippet', { hasText: 'Bearer pboel_' }).waitFor()
    const before = (await server.call('GET', '/v1/systems/boat')).samples
    await promisify(execFile)('sh', ['-c', (await page.locator('.snippet').textContent()) as string])
    expect((await server.call('GET', '/v1/systems/boat')).samples).toBe(before + 1)
    await Promise.all([context.close(), eva.context.close()])
  })
})
