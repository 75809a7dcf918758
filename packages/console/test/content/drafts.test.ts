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

t.test('C18, M12: a draft is deleted and brought back, with the text that was typed', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const itemId = await addPublication(fixture, { itemTitle: 'Not needed' })
    await page.goto(`/console/library/${itemId}`)
    const remove = page.getByRole('button', { name: 'Delete this draft' })
    await looksRight(t, page, 'a draft')
    await remove.click()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    const gone = await fixture.call('GET', `/library/${itemId}`, { as: 'manager' })
    t.same(await gone.json(), { items: [] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The draft is back.').waitFor()
    t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Not needed')
  })
})

t.test('C18: the page says why an entry that readers have seen stays, in French', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr', expected: [REFUSED] }, async (page, { fixture }) => {
    const itemId = await addPublication(fixture, {}, 'Live')
    const json = { itemTitle: 'Clean water', itemDescription: 'A well.', link: 'https://example.org/' }
    await fixture.call('POST', `/library/${itemId}`, { as: 'manager', json: { ...json, status: 'Draft' } })
    await page.goto(`/console/library/${itemId}`)
    await looksRight(t, page, 'a draft on a phone')
    await page.getByRole('button', { name: 'Supprimer ce brouillon' }).click()
    await page.getByText('Archivez-le plutôt').waitFor()
  })
})
