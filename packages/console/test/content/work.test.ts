import { type LinkFinding, NO_ROUNDS } from '@almoner/domain/content'
import { type ItemId, instant, type WebUrl } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { post, seconds } from '../../../adapters-http/test/support/notifications.ts'
import {
  addPosts,
  addPublication,
  browser,
  DESKTOP,
  looksRight,
  PHONE,
  PUBLICATION,
  REFUSED,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

t.test('a person signs in from a link, whose token leaves the address', async (t) => {
  await scenario(t, { ...DESKTOP, isSignedOut: true }, async (page, { newToken }) => {
    await page.goto(`/console/enter?to=${encodeURIComponent('/console/library')}#${await newToken()}`)
    await page.getByRole('button', { name: 'Sign in as Camille' }).click()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    t.match(page.url(), /\/console\/library$/)
  })
})

t.test('a used link is explained, and a pasted one works', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED], isSignedOut: true }, async (page, { newToken }) => {
    await page.goto('/console/enter#used')
    await page.getByRole('alert').filter({ visible: true }).getByText('Ask for a new one').waitFor()
    await looksRight(t, page, 'sign-in')
    await page
      .getByRole('textbox', { name: 'Your sign-in link' })
      .fill(`https://x/console/enter#${await newToken()}`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
  })
})

t.test('without a session the person signs in first', async (t) => {
  await scenario(t, { ...DESKTOP, isSignedOut: true }, async (page) => {
    await page.goto('/console/queue')
    await page.getByRole('heading', { name: 'Welcome to Almoner' }).waitFor()
    t.match(page.url(), '?to=%2Fconsole%2Fqueue')
  })
})

t.test('M4: an ended session keeps the page; with a new link the work goes on', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture, endSessions, newToken }) => {
    const id = await addPublication(fixture)
    await page.goto(`/console/library/${id}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('Written without a session')
    // Keeping the text would ask for the session too, before the press does.
    await page.getByText('Your text is kept').waitFor()
    await endSessions()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await looksRight(t, page, 'session ended')
    await dialog.getByRole('button', { name: 'I have signed in: go on' }).click()
    await dialog.getByText('You are not signed in yet.').waitFor()
    const link = dialog.getByRole('textbox', { name: 'Your new sign-in link' })
    await link.fill('https://x/console/enter#used')
    await link.press('Enter')
    await dialog.getByText('This link does not work.').waitFor()
    await link.fill(`https://x/console/enter#${await newToken()}`)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Saved as a draft.').waitFor()
    const read = await fixture.call('GET', `/library/${id}`, { as: 'manager' })
    t.match(await read.json(), { items: [{ item: { itemTitle: 'Written without a session' } }] })
  })
})

t.test('M7: the desk says what waits, and each line leads to the act', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const toDo = page.getByRole('region', { name: 'For you to do' })
    await page.goto('/console')
    await toDo.getByText('Nothing waits for you.').waitFor()
    await addPosts(fixture, 'First', 'Second')
    const [alone, id, fr] = [
      await addPublication(fixture, { itemTitle: 'A school' }, 'Live'),
      await addPublication(fixture, {}, 'Live'),
      await addPublication(fixture, { lang: 'fr', itemTitle: 'De l’eau' }, 'Live'),
    ]
    await fixture.call('PUT', `/library/${id}/translation`, { as: 'manager', json: { counterpartId: fr } })
    const json = { ...PUBLICATION, itemTitle: 'Cleaner water', status: 'Live' }
    await fixture.call('POST', `/library/${id}`, { as: 'manager', json })
    await post(fixture, { title: 'Today', date: seconds('2026-05-01T14:00:00Z') })
    await page.getByRole('region', { name: 'Going out today' }).getByText('14:00').waitFor()
    await toDo.getByRole('link', { name: /^2 posts wait to be approved/ }).click()
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.goBack()
    await toDo.getByRole('link', { name: /^1 publication lacks French/ }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'French is missing' })
      .getByRole('link', { name: 'A school' })
      .waitFor()
    await page.goBack()
    const older = /^1 publication is older than its other language.*“De l’eau” \(title\)/
    await toDo.getByRole('link', { name: older }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Changed in English: title' })
      .getByRole('link', { name: 'De l’eau' })
      .waitFor()
    t.equal(await page.getByRole('link', { name: 'A school' }).count(), 0, alone)
    // What was published is counted at most once a minute.
    fixture.clock.advance(60_000)
    await page.goto('/console')
    const chart = page.getByRole('figure', { name: 'Publications' })
    await chart.getByText('Show as a table').press('Enter')
    await chart.getByRole('row', { name: 'May 2 1' }).waitFor()
    await looksRight(t, page, 'desk')
  })
})

/** Publishes a publication whose link has answered 404 for two days. */
const addDeadLink = async (fixture: Parameters<typeof addPublication>[0], lang: 'en' | 'fr') => {
  const itemId = (await addPublication(fixture, { lang }, 'Live')) as ItemId
  const at = instant(fixture.clock.now())
  const finding: LinkFinding = {
    ...{ contentType: 'library', itemId, field: 'link', url: PUBLICATION.link as WebUrl },
    ...{ answer: '404', at, verdict: 'dead', gone: O.some({ answer: '404', since: at }) },
  }
  await done(fixture.ports.linkFindings.advance({ ...NO_ROUNDS, step: 1, number: 1, shown: 1 }, [finding]))
  return itemId
}

t.test('C17: list, editor and pair name a dead link until the entry has another one', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const id = await addDeadLink(fixture, 'en')
    await page.goto('/console/library')
    await page.getByRole('listitem').filter({ hasText: 'A link leads nowhere' }).getByRole('link').click()
    const notice = page.getByRole('region', { name: '1 link leads nowhere' })
    await notice.getByText('Link, answer 404 since 1 May 2026.').waitFor()
    await looksRight(t, page, 'dead link')
    await page.getByRole('link', { name: 'English and French' }).click()
    await notice.waitFor()
    await page.goto(`/console/library/${id}`)
    await page.getByRole('textbox', { name: 'Link' }).fill('https://example.org/moved')
    await page.getByRole('button', { name: 'Save' }).click()
    await notice.waitFor({ state: 'detached' })
  })
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, { fixture }) => {
    await page.goto(`/console/library/${await addDeadLink(fixture, 'fr')}`)
    const notice = page.getByRole('region', { name: '1 lien ne mène nulle part' })
    await notice.getByText('réponse 404 depuis le 1').waitFor()
    await looksRight(t, page, 'lien mort')
  })
})

t.test('a list is searched, filtered and walked with the keyboard', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    await addPosts(fixture, 'A well', 'A school', 'Another well')
    await page.goto('/console/feed')
    await page.getByRole('link', { name: 'A school' }).waitFor()
    await addPosts(fixture, 'A new well')
    await page.getByRole('link', { name: 'A new well' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('well')
    await page.getByRole('link', { name: 'A school' }).waitFor({ state: 'detached' })
    t.match(page.url(), '?q=well')
    await page.getByRole('link', { name: 'Another well' }).focus()
    await page.keyboard.press('j')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'A well')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Live')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await looksRight(t, page, 'nothing matches')
    await page.getByRole('link', { name: 'Clear search and filters' }).click()
    await page.getByRole('link', { name: 'A school' }).press('Enter')
    t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'A school')
  })
})

t.test('B3, M8: an address that no page has is explained in the console, in French on a phone', async (t) => {
  const expected = [/^console: .*\b404\b/]
  await scenario(t, { ...PHONE, language: 'fr', expected }, async (page) => {
    const answer = await page.goto('/console/bibliotheque')
    t.equal(answer?.status(), 404)
    await page.getByRole('heading', { name: 'Cette page n’existe pas' }).waitFor()
    await looksRight(t, page, 'no such page')
    await page.getByRole('main').getByRole('link').tap()
    await page.getByRole('heading', { name: 'Bonjour,' }).waitFor()
  })
})
