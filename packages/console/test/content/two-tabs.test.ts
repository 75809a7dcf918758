import t from 'tap'
import {
  addPublication,
  browser,
  DESKTOP,
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
