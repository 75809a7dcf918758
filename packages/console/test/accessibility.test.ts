import { accessibilityFaults, type Page } from '@almoner/browser'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { notify, review } from '../../adapters-http/test/support/notifications.ts'
import { AMINA, attach } from '../../adapters-http/test/support/people.ts'
import { loadFiles } from './support/portfolio.ts'
import { addPosts, addPublication, browser, propose, scenario } from './support/scenario.ts'

t.teardown(() => browser.close())

interface View {
  readonly width: number
  readonly height: number
  readonly colorScheme?: 'light' | 'dark'
  readonly forcedColors?: 'active'
  readonly reducedMotion?: 'reduce'
}

const WIDE = { width: 1280, height: 900 } as const
const PHONE = { width: 360, height: 740 } as const
/** A window of 1280 by 1024 at 400 %. */
const ENLARGED: View = { width: 320, height: 256, forcedColors: 'active', reducedMotion: 'reduce' }

const DARK_OR_SMALL: ReadonlyArray<View> = [
  { ...WIDE, colorScheme: 'dark' },
  { ...PHONE, colorScheme: 'light' },
]
const LIGHT_OR_ENLARGED: ReadonlyArray<View> = [{ ...WIDE, colorScheme: 'light' }, ENLARGED]

/** All views of a page in a language. */
const EVERY_VIEW = [...DARK_OR_SMALL, ...LIGHT_OR_ENLARGED, { ...PHONE, colorScheme: 'dark' }] as const

/**
 * Returns how a page is looked at in a language. The tests have every width and scheme of each page, and both languages: one has half of the
 * views of a page, the other has the rest, and they change places at the next page. With TEST_VIEWS=all each page has every view in both.
 */
const viewsOf = (language: 'en' | 'fr', page: number): ReadonlyArray<View> => {
  if (process.env['TEST_VIEWS'] === 'all') return EVERY_VIEW
  return (language === 'en') === (page % 2 === 0) ? DARK_OR_SMALL : LIGHT_OR_ENLARGED
}

/** Follows a link of the console. The scripts of the console, and axe, are loaded once for all its pages. */
const open = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(`void navigation.navigate('${path}')`)
  await page.waitForURL(path)
}

for (const language of ['en', 'fr'] as const)
  t.test(`M8: WCAG 2.2 AA on every page, in ${language}, both schemes, from 1280 px to 400 %`, async (t) => {
    const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
    await scenario(t, { language, locale, as: 'Oda' }, async (page, opened) => {
      const { fixture } = opened
      const id = await addPublication(fixture)
      const live = await addPublication(fixture, {}, 'Live')
      await propose(opened, live, { itemTitle: 'Cleaner water' })
      await addPosts(fixture, 'A well')
      await loadFiles(fixture)
      const paths = ['', '/library', '/library/new', `/library/${id}`, `/library/${id}/history`]
      paths.push(
        `/library/${id}/translation`,
        `/library/${id}/preview`,
        `/library/${live}/proposal`,
        '/proposals',
        '/feed',
        '/feed/new',
        '/queue',
        '/queue?view=overview',
        '/calendar?day=2026-05-12',
        '/results',
        '/managers',
        '/account',
        '/shortcuts',
        '/manual',
      )
      paths.push('/portfolio', '/portfolio/load', '/portfolio/organizations/acme')
      const now = fixture.clock.now() / 1000
      const { id: due } = await notify(fixture, { title: 'Six wells', date: now })
      await review(fixture)
      paths.push(
        '/notifications?month=2026-05',
        '/notifications?month=2026-05&view=calendar',
        `/notifications/${due}`,
      )
      paths.push('/notifications/new', `/notifications/new?item=${id}`)
      await attach(fixture, AMINA, 'fcm:one')
      const [amina] = await done(fixture.ports.personalData.search(AMINA, 1))
      paths.push('/people', `/people/${amina?.number}`, '/clients', '/operations', '/audit')
      // Last, because it is another document.
      paths.push('/sign-in')
      await page.goto('/console')
      for (const [number, path] of paths.entries()) {
        await open(page, `/console${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('.loading').first().waitFor({ state: 'detached' })
        for (const {
          width,
          height,
          colorScheme = null,
          forcedColors = null,
          reducedMotion = null,
        } of viewsOf(language, number)) {
          await page.setViewportSize({ width, height })
          await page.emulateMedia({ colorScheme, forcedColors, reducedMotion })
          const name = `${path} ${width} ${colorScheme ?? 'forced colours'}`
          t.strictSame(await accessibilityFaults(page), [], name)
          const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          t.equal(excess, 0, `${name}: no horizontal scrolling`)
        }
      }
    })
  })
