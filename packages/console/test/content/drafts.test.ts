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

t.test(
  'a publication is previewed as readers get it: both languages, light and dark, two phones',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      const [en, fr] = [
        await addPublication(fixture, { itemTitle: 'Six wells', isDonorRestricted: 'true' }, 'Live'),
        await addPublication(fixture, { lang: 'fr', itemTitle: 'Six puits' }),
      ]
      const json = { counterpartId: fr }
      await fixture.call('PUT', `/library/${en}/translation`, { as: 'manager', json })
      await page.goto(`/console/library/${en}`)
      await page.getByRole('link', { name: 'Preview' }).click()
      await page.getByRole('heading', { name: 'As readers see it' }).waitFor()
      const small = page.getByRole('region', { name: 'Small phone' })
      await small.getByRole('heading', { name: 'Six wells' }).waitFor()
      t.equal(await page.getByRole('region', { name: 'Large phone' }).getByText('For donors').count(), 1)
      t.match(await small.locator('img').getAttribute('srcset'), /\/r\/160\/.*160w/)
      await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
      await looksRight(t, page, 'a preview in the dark')
      await page.getByRole('radio', { name: 'French' }).check({ force: true })
      await small.getByRole('heading', { name: 'Six puits' }).waitFor()
      t.equal(await small.getByRole('link').textContent(), 'Lire la suite')
      t.match(await page.evaluate("getComputedStyle(document.querySelector('.phone')).colorScheme"), 'dark')
      await page.setViewportSize({ width: 360, height: 740 })
      await looksRight(t, page, 'a preview on a phone')
    })
  },
)

t.test(
  'A11: typed text is previewed before it is saved, also in the app, which gets no way back',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      await fixture.call('POST', '/feed/', {
        as: 'donor',
        json: {
          itemType: 'link',
          itemTitle: 'A pump',
          itemDescription: 'It works.',
          link: 'https://example.org/',
        },
      })
      await page.goto('/console/feed')
      await page.getByRole('link', { name: 'A pump' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('A pump for the school')
      await page.getByRole('link', { name: 'Preview' }).click()
      const small = page.getByRole('region', { name: 'Small phone' })
      await small.getByRole('heading', { name: 'A pump for the school' }).waitFor()
      t.equal(await small.getByRole('link').textContent(), 'Read more')
      const opening = page.context().waitForEvent('page')
      await page.getByRole('button', { name: 'Open in the app' }).click()
      const app = await opening
      await app.waitForURL(/health/)
      t.same(await app.evaluate('[opener, document.referrer]'), [null, ''])
      const [kind, itemId, token] = new URL(app.url()).hash.slice(1).split('/')
      const headers = { authorization: `Bearer ${token}` }
      const shown = await fixture.call('GET', `/${kind}/${itemId}`, { headers })
      t.match(await shown.json(), {
        items: [{ item: { itemTitle: 'A pump for the school', status: 'Live' } }],
      })
      await app.close()
      await page.getByRole('link', { name: 'Open it again' }).waitFor()
      await looksRight(t, page, 'a preview of typed text')
      t.notOk(page.url().includes(String(token)))
      await page.getByRole('radio', { name: 'As saved' }).check({ force: true })
      await small.getByRole('heading', { name: 'A pump', exact: true }).waitFor()
      await page.setViewportSize({ width: 390, height: 800 })
      await looksRight(t, page, 'a preview of typed text on a phone')
    })
  },
)

t.test(
  'A11, M7: an entry that was never saved is previewed with its image, which no app can show',
  async (t) => {
    await scenario(t, DESKTOP, async (page) => {
      const titleOf = (name: string) => page.getByRole('textbox', { name })
      await page.goto('/console/library/new')
      const preview = page.getByRole('link', { name: 'Preview' })
      await titleOf('Title').fill('A pump for the school')
      await titleOf('Text').fill('It works since Monday.')
      await titleOf('Link').fill('not an address')
      const box = await titleOf('Link').boundingBox()
      t.ok(box !== null && box.height >= 44, 'a field is as high as a finger needs')
      await page.locator('#field-cover input[type=file]').setInputFiles(FILE)
      await page.locator('#field-cover img').waitFor()
      await preview.click()
      const small = page.getByRole('region', { name: 'Small phone' })
      await small.getByRole('heading', { name: 'A pump for the school' }).waitFor()
      await small.locator('img').waitFor()
      t.equal(await small.getByRole('link').count(), 0, 'what is no address leads nowhere')
      await page.getByText('save it first').waitFor()
      t.equal(await page.getByRole('button', { name: 'Open in the app' }).count(), 0)
      await looksRight(t, page, 'a preview of a new entry')
      await page.setViewportSize({ width: 390, height: 800 })
      await looksRight(t, page, 'a preview of a new entry on a phone')
      await page.reload()
      await small.getByRole('heading', { name: 'A pump for the school' }).waitFor()
      await page.locator('.back a').click()
      await page.getByRole('button', { name: 'Discard' }).waitFor()
      t.equal(await titleOf('Title').inputValue(), 'A pump for the school')
      await titleOf('Title').fill('')
      await preview.click()
      await small.getByRole('heading').waitFor({ state: 'detached' })
      await small.getByText('It works since Monday.').waitFor()
      await looksRight(t, page, 'a preview without a title')
    })
  },
)

t.test('A11, J7: a language that is being written is previewed beside the saved one', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const itemId = await addPublication(fixture, { itemTitle: 'Six wells' }, 'Live')
    await page.goto(`/console/library/${itemId}/translation`)
    const french = page.getByRole('region', { name: 'French' })
    await french.getByRole('textbox', { name: 'Title' }).fill('Six puits')
    await page.getByRole('link', { name: 'Preview' }).click()
    const small = page.getByRole('region', { name: 'Small phone' })
    await small.getByRole('heading', { name: 'Six wells' }).waitFor()
    await page.getByRole('radio', { name: 'French' }).check({ force: true })
    await small.getByRole('heading', { name: 'Six puits' }).waitFor()
    t.match(await small.locator('img').getAttribute('srcset'), /\/r\/160\/.*160w/, 'with the same image')
    t.equal(await page.getByRole('button', { name: 'Open in the app' }).count(), 0)
    await looksRight(t, page, 'a preview of a language that is being written')
  })
})
