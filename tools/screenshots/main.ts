// Takes the screenshots of the console for README.md and docs, from the demonstration.
// Usage: pnpm screenshots
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { serve } from '../../apps/almoner/test/support/almoner.ts'
import { inPage, launchBrowser, type Page, type PageOptions } from '../../testing/browser/src/index.ts'

const FOLDER = join(import.meta.dirname, '../../docs/screenshots')

/** The browser's line about an update that the server refuses, which a picture shows. */
const REFUSED = /^console: .*\b409\b/

/** The most bytes of a file. */
const MOST = 150_000

const DESKTOP = { viewport: { width: 1280, height: 860 }, locale: 'en-GB', colorScheme: 'light' } as const
const PHONE = {
  viewport: { width: 390, height: 780 },
  locale: 'fr-FR',
  colorScheme: 'dark',
  hasTouch: true,
} as const

/** Returns how a page is brought to what its picture shows. */
interface Picture {
  readonly name: string
  readonly settings: Omit<PageOptions, 'baseURL'>
  readonly show: (page: Page) => Promise<void>
}

/** A publication that has no French side. */
const EVENINGS = 'Reading After Dark: Library Hours That Suit Working Families'

const PICTURES: ReadonlyArray<Picture> = [
  {
    name: 'console-desk',
    settings: { ...DESKTOP, viewport: { width: 1280, height: 1190 } },
    show: async (page) => {
      await page.goto('/console')
      await page.getByRole('link', { name: /wait to be approved/ }).waitFor()
      await page.getByRole('figure', { name: 'Posts' }).getByRole('img').waitFor()
    },
  },
  {
    name: 'console-languages',
    settings: DESKTOP,
    show: async (page) => {
      await page.goto('/console/library')
      await page.getByRole('link', { name: EVENINGS }).click()
      await page.getByRole('link', { name: 'English and French' }).click()
      const french = page.getByRole('region', { name: 'French' })
      await french
        .getByRole('textbox', { name: 'Title' })
        .fill('Lire à la nuit tombée : des horaires pour les familles qui travaillent')
      await french
        .getByRole('textbox', { name: 'Text' })
        .fill(
          'À Valdorra, en Colombie, trois bibliothèques de quartier ferment désormais à vingt et une heures, et les visites ont doublé. Cette courte étude dit ce que cela a coûté, et qui est venu.',
        )
      await page.getByText(/Your text is kept/).waitFor()
      await page.evaluate('document.activeElement.blur()')
    },
  },
  {
    name: 'console-notification',
    settings: { ...DESKTOP, viewport: { width: 1280, height: 1540 } },
    show: async (page) => {
      await page.goto('/console/library')
      await page.getByRole('link', { name: EVENINGS }).click()
      await page.getByRole('link', { name: 'Notify readers' }).click()
      await page.getByText('Send in French').click()
      const french = page.getByRole('region', { name: 'French' })
      await french.getByRole('textbox', { name: 'Title', exact: true }).fill('Lire à la nuit tombée')
      await french
        .getByRole('textbox', { name: 'Text' })
        .fill(
          'À Valdorra, trois bibliothèques ferment à vingt et une heures : qui est venu, et ce que cela a coûté.',
        )
      await page.getByText(/Your text is kept/).waitFor()
      await page.evaluate('document.activeElement.blur()')
    },
  },
  {
    name: 'console-bulk',
    settings: DESKTOP,
    show: async (page) => {
      await page.goto('/console/library?status=Draft')

      await page.getByRole('checkbox', { name: /^Select all/ }).check()
      await page.getByRole('combobox', { name: 'Status' }).selectOption('Archived')
      await page.getByRole('status').getByText('not in this list').waitFor()
      await page.getByRole('list', { name: 'Library' }).getByText('Archived').first().waitFor()
      await page.getByRole('listitem').getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('region', { name: /published/ }).waitFor()
    },
  },
  {
    name: 'console-portfolio',
    settings: DESKTOP,
    show: async (page) => {
      await page.goto('/console/portfolio')
      await page.getByRole('link', { name: '100% Lisible' }).click()
      await page.getByRole('heading', { name: '100% Lisible', level: 1 }).waitFor()
      await page.getByRole('img', { name: /^Beneficiaries/ }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'console-queue',
    settings: PHONE,
    show: async (page) => {
      await page.goto('/console/account')
      await page.getByText('Français', { exact: true }).click()
      await page.getByRole('link', { name: 'À valider' }).click()
      await page.getByRole('button', { name: /^Approuver/ }).waitFor()
      await page.locator('.decide:not([aria-disabled])').waitFor()
    },
  },
]

const linkIn = (text: string): string => /(http:\S+\/console\/enter#[\w-]{43})/.exec(text)?.[1] ?? 'no link'

const temporary = mkdtempSync(join(tmpdir(), 'almoner-screenshots-'))
const [browser, server] = await Promise.all([launchBrowser(), serve(temporary, ['--demo'])])
mkdirSync(FOLDER, { recursive: true })
let cookies: Parameters<ReturnType<Page['context']>['addCookies']>[0] = []
try {
  for (const { name, settings, show } of PICTURES)
    await inPage(browser, { baseURL: server.url, expected: [REFUSED], ...settings }, async (page) => {
      await page.context().addCookies([...cookies])
      if (cookies.length === 0) {
        await page.goto(linkIn(server.said().out))
        await page.getByRole('button', { name: /^Sign in as / }).click()
        await page.getByRole('heading', { name: 'Hello, Camille Martin' }).waitFor()
        cookies = await page.context().cookies()
      }
      await show(page)
      await page.waitForFunction('[...document.images].every((image) => image.complete)')
      const file = join(FOLDER, `${name}.png`)
      const { size } = await sharp(await page.screenshot())
        .png({ palette: true, effort: 10 })
        .toFile(file)
      if (size > MOST) throw new RangeError(`${file} has ${size} bytes, more than ${MOST}`)
      process.stdout.write(`${file} ${size}\n`)
    })
} finally {
  await browser.close()
  await server.stop()
  rmSync(temporary, { recursive: true, force: true })
}
