// Does three rounds of a day's work in the console, and counts the clicks or presses of each.
// Usage: node tools/stress/console-rounds.ts
import { join } from 'node:path'
import type { LabelId, LabelName } from '@almoner/domain/values'
import t from 'tap'
import { openConsole } from '../../packages/console/test/support/console-server.ts'
import { addPosts, assets, browser, DESKTOP, FILE } from '../../packages/console/test/support/scenario.ts'
import { inPage, type Locator, type Page } from '../../testing/browser/src/index.ts'
import { check, folder, report } from './campaign.ts'

// The fixture's stores load tap, which ends a process after 30 seconds.
t.setTimeout(0)

const ends: Array<() => unknown> = []
const stage = {
  testdir: () => join(folder, 'console'),
  teardown: (end: () => unknown) => void ends.push(end),
}
const opened = await openConsole(stage as never, assets)
const { fixture, baseURL } = opened
const labels = ['Water', 'Schools'].map((en) => ({
  labelId: en.toLowerCase() as LabelId,
  en: en as LabelName,
  fr: en as LabelName,
}))
await fixture.ports.labels.replaceAll(labels)()

/** Acts of the present round. */
let acts = 0

const click = async (target: Locator): Promise<void> => {
  acts += 1
  await target.click()
}

const choose = async (page: Page, name: RegExp): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await click(page.getByRole('group', { name }).getByRole('button', { name: /^Choose/ }))
  await (await chooser).setFiles(FILE)
}

const press = async (page: Page, key: string): Promise<void> => {
  acts += 1
  await page.keyboard.press(key)
}

/** Types into the field with the focus and those after it. */
const type = async (page: Page, texts: ReadonlyArray<string>): Promise<void> => {
  for (const [n, text] of texts.entries()) {
    if (n > 0) await page.keyboard.press('Tab')
    await page.keyboard.insertText(text)
  }
}

const ROUNDS: Readonly<
  Record<string, { readonly most: number; readonly run: (page: Page) => Promise<void> }>
> = {
  'publish in two languages with two images and labels': {
    most: 12,
    run: async (page) => {
      await page.goto('/console/library')
      await click(page.getByRole('link', { name: 'New publication' }).first())
      await click(page.getByRole('textbox', { name: 'Title' }))
      await type(page, [
        'A new well',
        'It gives water to 300 people.',
        'A well',
        'A well',
        'https://example.org/',
      ])
      await choose(page, /^Cover/)
      await choose(page, /^Image for notifications/)
      for (const { en } of labels) await click(page.getByText(en, { exact: true }))
      await click(page.getByRole('button', { name: /^Save/ }))
      await click(page.getByRole('link', { name: 'English and French' }))
      const french = page.getByRole('region', { name: 'French' })
      await click(french.getByRole('textbox', { name: 'Title' }))
      await type(page, ['Un nouveau puits', 'Il donne de l’eau à 300 personnes.', 'Un puits', 'Un puits'])
      await page.keyboard.press('Tab')
      await page.keyboard.insertText('https://example.org/fr')
      await click(page.getByRole('button', { name: 'Publish both' }))
      await page.getByRole('region', { name: 'French' }).getByText('Live').waitFor()
      await page.getByRole('region', { name: 'English' }).getByText('Live').waitFor()
    },
  },
  'announce it in two languages': {
    most: 6,
    run: async (page) => {
      await page.goto('/console/library')
      await click(page.getByRole('listitem').getByRole('link', { name: 'English', exact: true }))
      await click(page.getByRole('link', { name: 'Notify readers' }))
      await click(page.getByRole('button', { name: 'Schedule…' }))
      const question = page.getByRole('dialog')
      await question.locator('.act:not([aria-disabled])').waitFor()
      await click(question.locator('.act'))
      await page.waitForURL(/\/console\/notifications(?!\/new)/)
    },
  },
  'approve ten posts': {
    most: 12,
    run: async (page) => {
      await addPosts(fixture, ...Array.from({ length: 10 }, (_, n) => `Post ${n}`))
      await page.goto('/console')
      await click(page.getByRole('navigation').getByRole('link', { name: /^Queue/ }))
      for (let n = 0; n < 10; n += 1) {
        await page.getByRole('heading', { name: `Post ${n}` }).waitFor()
        await page
          .getByRole('button', { name: /^Approve/ })
          .and(page.locator(':not([aria-disabled=true])'))
          .waitFor()
        await page.waitForTimeout(700)
        await press(page, 'a')
      }
      await page
        .getByText(/Nothing waits|All done|no post/i)
        .first()
        .waitFor()
    },
  },
}

const figures: Record<string, object> = {}
await inPage(browser, { ...DESKTOP, baseURL }, async (page) => {
  await page.context().addCookies([await opened.signIn()])
  for (const [name, { most, run }] of Object.entries(ROUNDS)) {
    acts = 0
    const start = performance.now()
    await run(page)
    figures[name] = { acts, most, seconds: Math.round((performance.now() - start) / 100) / 10 }
    check(acts <= most, `${name}: ${acts} acts, more than ${most}`)
  }
})
for (const end of ends.toReversed()) await end()
await browser.close()
report(figures)
