// Takes the screenshots of the console for README.md and docs, from the demonstration, in both languages.
// Usage: pnpm screenshots
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { serve } from '../../apps/almoner/test/support/almoner.ts'
import { en, type Messages } from '../../packages/console/src/messages/en.ts'
import { fr } from '../../packages/console/src/messages/fr.ts'
import { inPage, launchBrowser, type Page, type PageOptions } from '../../testing/browser/src/index.ts'

const FOLDER = join(import.meta.dirname, '../../docs/screenshots')

/** The browser's line about an update that the server refuses, which a picture shows. */
const REFUSED = /^console: .*\b409\b/

/** The most bytes of a file. */
const MOST = 150_000

const DESKTOP = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' } as const
const PHONE = { viewport: { width: 390, height: 780 }, colorScheme: 'dark', hasTouch: true } as const

/** Returns how a page is brought to what its picture shows. */
interface Picture {
  readonly name: string
  readonly settings: Omit<PageOptions, 'baseURL'>
  readonly show: (page: Page, words: Messages) => Promise<void>
}

/** A publication that has no French side, and its French text. */
const EVENINGS = 'Reading After Dark: Library Hours That Suit Working Families'
const TITLE = 'Lire à la nuit tombée : des horaires pour les familles qui travaillent'
const TEXT =
  'À Valdorra, en Colombie, trois bibliothèques de quartier ferment désormais à vingt et une heures, et les visites ont doublé. Cette courte étude dit ce que cela a coûté, et qui est venu.'

/** Returns what a text matches, whichever number stands for its 7. */
const counting = (text: string) => new RegExp(text.replace(/[()]/g, '\\$&').replace('7', '\\d+'))

const leaveField = (page: Page) => page.evaluate('document.activeElement.blur()')

const openEvenings = async (page: Page) => {
  await page.goto('/console/library')
  await page.getByRole('link', { name: EVENINGS }).click()
}

const PICTURES: ReadonlyArray<Picture> = [
  {
    name: 'console-desk',
    settings: { ...DESKTOP, viewport: { width: 1280, height: 1190 } },
    show: async (page, { desk }) => {
      await page.goto('/console')
      await page.getByRole('link', { name: counting(desk.waiting(7)) }).waitFor()
      await page.getByRole('figure', { name: desk.posts }).getByRole('img').waitFor()
    },
  },
  {
    name: 'console-languages',
    settings: DESKTOP,
    show: async (page, { translation, languages, copies, fields }) => {
      await openEvenings(page)
      await page.getByRole('link', { name: translation.title }).click()
      const french = page.getByRole('region', { name: languages.fr })
      await french.getByRole('textbox', { name: fields.itemTitle }).fill(TITLE)
      await french.getByRole('textbox', { name: fields.itemDescription }).fill(TEXT)
      await page.getByText(copies.states.stored).waitFor()
      await leaveField(page)
    },
  },
  {
    name: 'console-notification',
    settings: { ...DESKTOP, viewport: { width: 1280, height: 1540 } },
    show: async (page, { composer, languages, copies }) => {
      await openEvenings(page)
      await page.getByRole('link', { name: composer.notify }).click()
      await page.getByText(composer.send.fr).click()
      const french = page.getByRole('region', { name: languages.fr })
      await french
        .getByRole('textbox', { name: composer.fields.title, exact: true })
        .fill('Lire à la nuit tombée')
      await french
        .getByRole('textbox', { name: composer.fields.description })
        .fill(
          'À Valdorra, trois bibliothèques ferment à vingt et une heures : qui est venu, et ce que cela a coûté.',
        )
      await page.getByText(copies.states.stored).waitFor()
      await leaveField(page)
    },
  },
  {
    name: 'console-proposal',
    settings: DESKTOP,
    show: async (page, { fields, proposals }) => {
      await openEvenings(page)
      const text = page.getByRole('textbox', { name: fields.itemDescription })
      await text.fill((await text.inputValue()).replace('three', 'four'))
      await page.getByRole('button', { name: proposals.share }).click()
      await page.getByRole('heading', { name: proposals.changes }).waitFor()
      // Without the message.
      await page.reload()
      await page.locator('.act:not([aria-disabled])').first().waitFor()
    },
  },
  {
    name: 'console-bulk',
    settings: DESKTOP,
    show: async (page, { list, library, bulk, status }) => {
      await page.goto('/console/library?status=Draft')
      await page.getByRole('checkbox', { name: counting(bulk.selectAll(7)) }).check()
      await page.getByRole('combobox', { name: list.status }).selectOption('Archived')
      await page
        .getByRole('status')
        .getByText(counting(bulk.unlisted(7)))
        .waitFor()
      await page.getByRole('list', { name: library.title }).getByText(status.Archived).first().waitFor()
      await page.getByRole('listitem').getByRole('checkbox').first().check()
      await page.getByRole('button', { name: bulk.acting.Live }).click()
      await page.getByRole('dialog').getByRole('button', { name: bulk.acting.Live }).click()
      await page.locator('.bulk-report').waitFor()
    },
  },
  {
    name: 'console-portfolio',
    settings: DESKTOP,
    show: async (page, { portfolio }) => {
      await page.goto('/console/portfolio')
      await page.getByRole('link', { name: '100% Lisible' }).click()
      await page.getByRole('heading', { name: '100% Lisible', level: 1 }).waitFor()
      await page
        .getByRole('img', { name: new RegExp(`^${portfolio.beneficiaries}`) })
        .scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'console-queue',
    settings: PHONE,
    show: async (page, { queue }) => {
      await page.goto('/console/queue')
      await page.getByRole('button', { name: queue.approve }).waitFor()
      await page.locator('.decide:not([aria-disabled])').waitFor()
    },
  },
]

const LANGUAGES = [
  { locale: 'en-GB', name: 'English', words: en, ending: '' },
  { locale: 'fr-FR', name: 'Français', words: fr, ending: '-fr' },
] as const

const linkIn = (text: string): string => /(http:\S+\/console\/enter#[\w-]{43})/.exec(text)?.[1] ?? 'no link'

const browser = await launchBrowser()
mkdirSync(FOLDER, { recursive: true })

/** Takes all pictures in a language, from a demonstration of its own: some change what others show. */
const takeAll = async ({ locale, name: language, words, ending }: (typeof LANGUAGES)[number]) => {
  const temporary = mkdtempSync(join(tmpdir(), 'almoner-screenshots-'))
  const server = await serve(temporary, ['--demo'])
  const options = { baseURL: server.url, expected: [REFUSED], locale }
  let cookies: Parameters<ReturnType<Page['context']>['addCookies']>[0] = []
  try {
    await inPage(browser, { ...options, ...DESKTOP }, async (page) => {
      await page.goto(linkIn(server.said().out))
      await page.getByRole('button', { name: /^(?:Sign in as|Se connecter) / }).click()
      await page.locator('a[href$="/console/account"]').first().click()
      await page.getByRole('radio', { name: language }).check({ force: true })
      await page.getByRole('heading', { name: words.account.title }).waitFor()
      cookies = await page.context().cookies()
    })
    for (const { name, settings, show } of PICTURES)
      await inPage(browser, { ...options, ...settings }, async (page) => {
        await page.context().addCookies([...cookies])
        await show(page, words)
        await page.waitForFunction('[...document.images].every((image) => image.complete)')
        const file = join(FOLDER, `${name}${ending}.webp`)
        const reduced = await sharp(await page.screenshot())
          .png({ palette: true })
          .toBuffer()
        const { size } = await sharp(reduced).webp({ lossless: true, effort: 6 }).toFile(file)
        if (size > MOST) throw new RangeError(`${file} has ${size} bytes, more than ${MOST}`)
        process.stdout.write(`${file} ${size}\n`)
      })
  } finally {
    await server.stop()
    rmSync(temporary, { recursive: true, force: true })
  }
}

try {
  for (const language of LANGUAGES) await takeAll(language)
} finally {
  await browser.close()
}
