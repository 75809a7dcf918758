import type { Page } from '@almoner/browser'
import t from 'tap'
import {
  addPosts,
  addPublication,
  browser,
  DESKTOP,
  looksRight,
  PHONE,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

/** The parts of a page's document that the script below uses. */
interface PageDocument {
  readonly activeElement: { readonly getAttribute: (name: string) => string | null }
  readonly getElementById: (id: string) => { readonly textContent: string } | null
}

/** Waits until the keyboard is on a line of the palette, whose id screen readers get. */
const lineIsActive = (page: Page, name: string) =>
  page.waitForFunction((text) => {
    const document = Reflect.get(globalThis, 'document') as PageDocument
    const id = document.activeElement.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.textContent.startsWith(text)
  }, name)

t.test('M8: pages, acts, publications and posts are found and opened with the keyboard alone', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    await addPublication(fixture, { itemTitle: 'Les écoles du nord' })
    await addPosts(fixture, 'An école of its own')
    await page.goto('/console')
    await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
    const palette = page.getByRole('dialog', { name: 'Search and acts' })
    const { keyboard } = page
    await keyboard.press('ControlOrMeta+k')
    await palette.getByRole('menuitem', { name: 'New publication' }).waitFor()
    await looksRight(t, page, 'palette')
    await keyboard.type('feed')
    await lineIsActive(page, 'Feed')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor()
    t.equal(await palette.count(), 0)
    await keyboard.press('ControlOrMeta+k')
    await keyboard.type('ecol')
    const library = palette.getByRole('group', { name: 'Library' })
    await library.getByRole('menuitem', { name: 'Les écoles du nord' }).waitFor()
    await palette.getByRole('group', { name: 'Feed' }).getByRole('menuitem', { name: 'An école' }).waitFor()
    await looksRight(t, page, 'found')
    await keyboard.press('ArrowDown')
    await lineIsActive(page, 'An école')
    await keyboard.press('ArrowUp')
    await lineIsActive(page, 'Les écoles')
    await keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Les écoles du nord')
    await page.getByRole('button', { name: 'Search' }).click()
    await keyboard.type('nothing at all')
    await palette.getByText('Nothing matches.').waitFor()
    await keyboard.press('Escape')
    if ((await palette.count()) > 0) await keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    t.equal(await page.evaluate('document.activeElement.className'), 'palette-button', 'the focus comes back')
  })
})

t.test('M2: operators find people and their own pages too; editors do not', async (t) => {
  for (const [as, count] of [
    ['Oda', 1],
    ['Camille', 0],
  ] as const)
    await scenario(t, { ...DESKTOP, as }, async (page) => {
      await page.goto('/console')
      await page.getByRole('heading', { name: `Hello, ${as}` }).waitFor()
      await page.keyboard.press('ControlOrMeta+k')
      const palette = page.getByRole('dialog', { name: 'Search and acts' })
      await palette.getByRole('menuitem', { name: 'Desk' }).waitFor()
      t.equal(await palette.getByRole('menuitem', { name: 'People' }).count(), count)
      await page.keyboard.type('amina')
      const person = palette.getByRole('menuitem', { name: 'amina@example.org' })
      if (count > 0) await person.click()
      else await palette.getByText('Nothing matches.').waitFor()
      t.equal(/\/console\/people\/\d+$/.test(page.url()), count > 0)
    })
})

t.test('WCAG 2.1.4: shortcuts are listed, and those of a single key can be switched off', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    await addPosts(fixture, 'First', 'Second')
    const { keyboard } = page
    await page.goto('/console/queue')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'The queue' })
    await help.getByText('Posts of donors wait here, the oldest first.').waitFor()
    await looksRight(t, page, 'help')
    await help.getByRole('link', { name: 'Keyboard shortcuts' }).press('Enter')
    await page.getByRole('heading', { name: 'Keyboard shortcuts', level: 1 }).waitFor()
    await page.getByRole('row', { name: 'Approve the post A' }).waitFor()
    await page.getByRole('row', { name: 'Search and acts Ctrl K' }).waitFor()
    await page.getByRole('switch', { name: 'Shortcuts of a single key' }).press('Space')
    await page.getByRole('row', { name: 'Approve the post switched off' }).waitFor()
    await page.getByRole('link', { name: 'Queue' }).click()
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await keyboard.press('j')
    await keyboard.press('?')
    await page.getByText('1 of 2 waiting posts').waitFor()
    t.match(page.url(), /\/console\/queue$/)
    await keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog', { name: 'Search and acts' }).waitFor()
  })
})

t.test('M8: on a phone, in French and dark, the palette is reached by its button', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page) => {
    await page.goto('/console')
    await page.getByRole('button', { name: 'Rechercher' }).tap()
    const palette = page.getByRole('dialog', { name: 'Recherche et actions' })
    await looksRight(t, page, 'recherche')
    await palette.getByRole('menuitem', { name: 'Continue in English' }).tap()
    await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
  })
})

t.test('M2, B8: a person chooses a time zone; all dates of the pages are shown in it', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    await addPosts(fixture, 'A post')
    await page.goto('/console/queue')
    const before = await page.getByRole('time').textContent()
    await page.goto('/console/account')
    const zone = page.getByRole('combobox', { name: 'Time zone of the console' })
    t.match(await zone.locator('option:checked').textContent(), 'That of the service (UTC)')
    const stored = page.waitForResponse((response) => response.url().endsWith('/session/time-zone'))
    await zone.selectOption({ label: 'Kiritimati, Pacific' })
    await stored
    await page.goto('/console/queue')
    await page.getByRole('heading', { name: 'A post' }).waitFor()
    const hour = (text: string | null) => Number(/(\d+):\d\d/.exec(text ?? '')?.[1])
    t.equal((hour(await page.getByRole('time').textContent()) - hour(before) + 24) % 24, 14)
    await page.goto('/console/feed')
    await page.getByRole('listitem').filter({ hasText: 'A post' }).getByText('2 May 2026').waitFor()
  })
})
