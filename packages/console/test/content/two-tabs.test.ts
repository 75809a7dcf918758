import t from 'tap'
import {
  addPublication,
  browser,
  DESKTOP,
  FILE,
  looksRight,
  PHONE,
  REFUSED,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

t.test('M12: text of another tab is shown and offered, never overwritten unseen', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
    const id = await addPublication(fixture)
    const other = await page.context().newPage()
    for (const tab of [page, other]) {
      await tab.goto(`/console/library/${id}`)
      await tab.getByRole('textbox', { name: 'Title' }).waitFor()
    }
    const typeIn = (tab: typeof page, text: string) => tab.getByRole('textbox', { name: 'Title' }).fill(text)
    const kept = async () => {
      const list = await page.request.get('/console/api/copies')
      const { copies } = (await list.json()) as { copies: ReadonlyArray<{ copy: { title: string } }> }
      return copies.map(({ copy }) => copy.title)
    }
    await typeIn(page, 'First tab')
    await page.getByText('Your text is kept').waitFor()
    await typeIn(other, 'Second tab')
    const notice = other.getByRole('alert').filter({ hasText: 'in another tab' })
    await notice.getByText('First tab').waitFor()
    await notice.getByText('Second tab').waitFor()
    t.strictSame(await kept(), ['First tab'], 'nothing is overwritten')
    await looksRight(t, other, 'two tabs')
    await notice.getByRole('button', { name: 'Use the other text' }).click()
    t.equal(await other.getByRole('textbox', { name: 'Title' }).inputValue(), 'First tab')
    await other.getByRole('button', { name: 'Undo' }).click()
    t.equal(await other.getByRole('textbox', { name: 'Title' }).inputValue(), 'Second tab')
    await other.getByText('Your text is kept').waitFor()
    t.strictSame(await kept(), ['Second tab'])
    await typeIn(page, 'First tab again')
    const again = page.getByRole('alert').filter({ hasText: 'in another tab' })
    await again.getByRole('button', { name: 'Keep the text of this page' }).click()
    await page.getByText('Your text is kept').waitFor()
    t.strictSame(await kept(), ['First tab again'])
    // Saving in one tab deletes the copy only as far as this tab has seen it.
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await other
      .getByRole('alert')
      .filter({ hasText: 'in another tab' })
      .getByText('First tab again')
      .waitFor()
    t.strictSame(await kept(), ['First tab again'])
  })
})

t.test('M12: the text of a second tab in French on a phone, after the first one was saved', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr', expected: [REFUSED] }, async (page, { fixture }) => {
    const id = await addPublication(fixture)
    const other = await page.context().newPage()
    for (const tab of [page, other]) await tab.goto(`/console/library/${id}`)
    await page.getByRole('textbox', { name: 'Titre' }).fill('Premier')
    await page.getByText('Votre texte est gardé').waitFor()
    await page.getByRole('button', { name: 'Enregistrer', exact: true }).tap()
    await page.getByText('Brouillon enregistré.').waitFor()
    await other.getByRole('textbox', { name: 'Texte', exact: true }).fill('Deuxième onglet')
    await other.getByText('Votre texte est gardé').waitFor()
    t.equal(await other.getByRole('alert').count(), 0, 'what was saved is in no one’s way')
    t.equal(await other.getByRole('textbox', { name: 'Titre' }).inputValue(), 'Premier', 'and merged')
  })
})

t.test('M7, M12: images of a new publication stay when the page is left, in each tab', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
    const other = await page.context().newPage()
    type Tab = typeof page
    const coverIn = (tab: Tab) => tab.getByRole('img', { name: 'Cover, as it is now' })
    const bellIn = (tab: Tab) => tab.getByRole('img', { name: 'Image for notifications, as it is now' })
    const choose = (tab: Tab, field: string) =>
      tab.locator(`#field-${field} input[type=file]`).setInputFiles(FILE)
    await page.goto('/console/library/new')
    await choose(page, 'cover')
    await coverIn(page).waitFor()
    await page.getByRole('link', { name: 'Library' }).first().click()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'New publication' }).first().click()
    await page.getByRole('link', { name: 'Without a title' }).click()
    await coverIn(page).waitFor()
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    await coverIn(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Your text is kept').waitFor()
    const first = (await coverIn(page).getAttribute('src')) ?? ''
    await other.goto(page.url())
    await coverIn(other).waitFor()
    await choose(page, 'cover')
    await page.locator(`#field-cover img:not([src="${first}"])`).waitFor()
    const second = (await coverIn(page).getAttribute('src')) ?? ''
    await page.getByText('Your text is kept').waitFor()
    await choose(other, 'notification')
    const notice = other.getByRole('alert').filter({ hasText: 'in another tab' })
    await notice.getByRole('img', { name: 'Image for notifications' }).waitFor()
    for (const src of [first, second]) await notice.locator(`img[src="${src}"]`).waitFor()
    await looksRight(t, other, 'images of two tabs')
    await notice.getByRole('button', { name: 'Use the other text' }).click()
    await other.locator(`#field-cover img[src="${second}"]`).waitFor()
    t.equal(await bellIn(other).count(), 0)
    await other.getByRole('button', { name: 'Undo' }).click()
    await bellIn(other).waitFor()
    t.equal(await coverIn(other).getAttribute('src'), first)
    for (const [name, text] of [
      ['Title', 'Clean water'],
      ['Text', 'A new well.'],
      ['Link', 'https://example.org/'],
    ] as const)
      await other.getByRole('textbox', { name, exact: true }).fill(text)
    await other.getByRole('button', { name: 'Publish' }).click()
    await other.getByText('Published. Readers see it now.').waitFor()
    const listed = await fixture.call('GET', '/library/', { as: 'user' })
    t.match(await listed.json(), { items: [{ item: { coverImgUrl: first, notificationImgUrl: /\.jpg$/ } }] })
  })
})

t.test('M12: text of a page that was left waits, if another tab has stored a newer one', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page) => {
    const other = await page.context().newPage()
    const titleIn = (tab: typeof page) => tab.getByRole('textbox', { name: 'Title' })
    await page.goto('/console/library/new')
    await titleIn(page).waitFor()
    await other.goto(page.url())
    await titleIn(other).waitFor()
    await titleIn(page).fill('First tab')
    await page.getByText('Your text is kept').waitFor()
    await titleIn(other).fill('Second tab')
    await other.getByRole('link', { name: 'Library' }).first().click()
    await other.getByText('What you typed last is not kept').waitFor()
    await looksRight(t, other, 'text that is not kept')
    await other.getByRole('button', { name: 'Go back' }).click()
    const notice = other.getByRole('alert').filter({ hasText: 'in another tab' })
    await notice.getByText('First tab').waitFor()
    t.equal(await titleIn(other).inputValue(), 'Second tab')
    const asked = Promise.withResolvers<string>()
    other.once('dialog', (dialog) => {
      asked.resolve(dialog.message())
      void dialog.dismiss()
    })
    await other.getByRole('link', { name: 'Library' }).first().click()
    t.match(await asked.promise, 'would be lost')
    t.equal(await titleIn(other).inputValue(), 'Second tab', 'still there')
    await notice.getByRole('button', { name: 'Keep the text of this page' }).click()
    await other.getByText('Your text is kept').waitFor()
  })
})
