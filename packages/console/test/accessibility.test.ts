import { accessibilityFaults } from '@almoner/browser'
import { done } from '@almoner/domain/contracts'
import t from 'tap'
import { notify, review } from '../../adapters-http/test/support/notifications.ts'
import { AMINA, attach } from '../../adapters-http/test/support/people.ts'
import { loadFiles } from './support/portfolio.ts'
import { addPosts, addPublication, browser, scenario } from './support/scenario.ts'

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

const OTHERS: Readonly<Record<'en' | 'fr', ReadonlyArray<View>>> = {
  en: [
    { ...WIDE, colorScheme: 'dark' },
    { ...PHONE, colorScheme: 'light' },
  ],
  fr: [
    { ...WIDE, colorScheme: 'light' },
    { ...PHONE, colorScheme: 'dark' },
  ],
}

/**
 * How each page is looked at in a language. The suite has every width in both schemes and every language in both; with TEST_VIEWS=all each
 * page is seen in every language, scheme and width.
 */
const viewsOf = (language: 'en' | 'fr'): ReadonlyArray<View> => [
  ...OTHERS[language === 'en' ? 'fr' : 'en'],
  ENLARGED,
  ...(process.env['TEST_VIEWS'] === 'all' ? OTHERS[language] : []),
]

for (const language of ['en', 'fr'] as const)
  t.test(`M8: WCAG 2.2 AA on every page, in ${language}, both schemes, from 1280 px to 400 %`, async (t) => {
    const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
    await scenario(t, { language, locale, as: 'Oda' }, async (page, { rig }) => {
      const id = await addPublication(rig)
      await addPosts(rig, 'A well')
      await loadFiles(rig)
      const paths = ['', '/library', '/library/new', `/library/${id}`, `/library/${id}/history`]
      paths.push(
        `/library/${id}/translation`,
        '/feed',
        '/feed/new',
        '/queue',
        '/managers',
        '/account',
        '/shortcuts',
        '/sign-in',
      )
      paths.push('/portfolio', '/portfolio/load', '/portfolio/organizations/acme')
      const now = rig.clock.now() / 1000
      const { id: due } = await notify(rig, { title: 'Six wells', date: now })
      await review(rig)
      paths.push(
        '/notifications?month=2026-05',
        '/notifications?month=2026-05&view=calendar',
        `/notifications/${due}`,
      )
      paths.push('/notifications/new', `/notifications/new?item=${id}`)
      await attach(rig, AMINA, 'fcm:one')
      const [amina] = await done(rig.ports.personalData.search(AMINA, 1))
      paths.push('/people', `/people/${amina?.number}`, '/clients', '/operations', '/audit')
      for (const path of paths) {
        await page.goto(`/console${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.getByText(/^(?:Loading|Chargement)…$/).waitFor({ state: 'detached' })
        for (const {
          width,
          height,
          colorScheme = null,
          forcedColors = null,
          reducedMotion = null,
        } of viewsOf(language)) {
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
