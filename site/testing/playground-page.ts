import type { Page } from 'playwright-core'

/** Presses Run and waits for the end. */
export async function runToEnd(page: Page, timeout?: number): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForFunction(
    () => {
      const [, done, total] =
        /([\d,]+) of ([\d,]+)/.exec(document.querySelector('[data-testid=progress]')?.textContent ?? '') ?? []
      return done !== undefined && done === total
    },
    undefined,
    { timeout },
  )
  await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' })
}

/** A figure of a scoreboard, as it is shown. */
export const figureOf = (page: Page, name: string, score = 0): Promise<string> =>
  page.locator(`[data-testid=score-${score}] [data-figure="${name}"] dd`).innerText()

/** Drops a file on the page. */
export const drop = (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
  page.evaluate(
    ({ name, text }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name))
      dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }))
    },
    { name, text: Buffer.from(bytes).toString('base64') },
  )
