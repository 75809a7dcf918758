import { inPage, type Page } from '@almoner/browser'
import t from 'tap'
import { bulkRound } from '../support/bulk-round.ts'
import { type OpenedConsole, openConsole } from '../support/console-server.ts'
import {
  addPosts,
  addPublication,
  assets,
  browser,
  DESKTOP,
  looksRight,
  PHONE,
  PUBLICATION,
  REFUSED,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

type Fixture = OpenedConsole['fixture']

const statuses = async (fixture: Fixture): Promise<Readonly<Record<string, string>>> => {
  const answer = await fixture.call('GET', '/library/', { as: 'manager' })
  const { items } = (await answer.json()) as {
    items: ReadonlyArray<{ item: { itemTitle: string; status: string } }>
  }
  return Object.fromEntries(items.map(({ item }) => [item.itemTitle, item.status]))
}

const toDraft = (fixture: Fixture, id: string, itemTitle: string) =>
  fixture.call('POST', `/library/${id}`, {
    as: 'manager',
    json: { ...PUBLICATION, itemTitle, status: 'Draft' },
  })

const report = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

t.test(
  'C10: filter, select all, change one elsewhere, publish: that one is refused by name, undo restores the others',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
      const ids: Record<string, string> = {}
      for (const itemTitle of ['A well', 'A school', 'A road']) {
        ids[itemTitle] = await addPublication(fixture, { itemTitle }, 'Live')
        await toDraft(fixture, ids[itemTitle], itemTitle)
      }
      await addPublication(fixture, { itemTitle: 'A bridge' })
      await addPublication(fixture, { itemTitle: 'Other' }, 'Live')
      await page.goto('/console/library?status=Draft')
      await page.getByRole('checkbox', { name: 'Select all 4 listed' }).check()
      await page.getByRole('status').getByText('4 selected').waitFor()
      fixture.clock.advance(60_000)
      await toDraft(fixture, String(ids['A road']), 'A road, changed')
      await page.getByRole('listitem').filter({ hasText: 'Changed since you selected it' }).waitFor()
      await looksRight(t, page, 'selection')
      await page.getByRole('button', { name: 'Publish' }).click()
      const dialog = page.getByRole('dialog', { name: 'Publish 4 publications?' })
      t.strictSame(await dialog.getByRole('listitem').allTextContents(), [
        'A bridge',
        'A road',
        'A school',
        'A well',
      ])
      await looksRight(t, page, 'question')
      await dialog.getByRole('button', { name: 'Publish' }).click()
      const done = report(page, '2 of 4 published')
      await done
        .getByRole('listitem')
        .filter({ hasText: 'A road' })
        .getByText('App “manager” changed it on')
        .waitFor()
      const bridge = done.getByRole('listitem').filter({ hasText: 'A bridge' })
      t.equal(await bridge.getByText(/^Add /).count(), 2, 'every reason of the server')
      await looksRight(t, page, 'report')
      t.match(await statuses(fixture), {
        ...{ 'A well': 'Live', 'A school': 'Live', 'A bridge': 'Draft', Other: 'Live' },
        'A road, changed': 'Draft',
      })
      fixture.clock.advance(60_000)
      await done.getByRole('button', { name: 'Undo (2)' }).click()
      await report(page, '2 restored').waitFor()
      t.match(await statuses(fixture), { 'A well': 'Draft', 'A school': 'Draft', Other: 'Live' })
      const history = await fixture.call('GET', `/library/${ids['A well']}/history`, { as: 'manager' })
      t.match(await history.json(), {
        history: [
          { revision: { actor: { kind: 'person' }, changes: [{ field: 'status', after: 'Draft' }] } },
          { revision: { actor: { kind: 'person' }, changes: [{ field: 'status', after: 'Live' }] } },
        ],
      })
    })
  },
)

t.test(
  'M12: an act that empties the last page of a list leads to the one before, with its report',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      await addPosts(fixture, ...Array.from({ length: 27 }, (_, n) => `Post ${n + 1}`))
      await page.goto('/console/feed?status=Draft&offset=25')
      await page.getByRole('checkbox', { name: 'Select all 2 listed' }).check()
      await page.getByRole('button', { name: 'Publish' }).click()
      await confirm(page, 'Publish')
      const done = report(page, '2 published')
      await done.waitFor()
      await page.getByRole('link', { name: 'Post 27' }).waitFor()
      t.match(page.url(), /\/console\/feed\?status=Draft$/)
      t.equal(await page.getByRole('heading', { name: 'Nothing matches' }).count(), 0)
      await done.getByRole('button', { name: 'Undo (2)' }).click()
      await report(page, '2 restored').waitFor()
      await page.getByRole('heading', { name: /Feed\s*27/ }).waitFor()
    })
  },
)

const focusedText = (page: Page) => page.evaluate('document.activeElement.textContent')

t.test(
  'M8: items are selected and archived with the keyboard alone; undo makes them Live again',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      for (const itemTitle of ['A well', 'A school', 'A road'])
        await addPublication(fixture, { itemTitle }, 'Live')
      await page.goto('/console/library')
      await page.getByRole('link', { name: 'A road' }).focus()
      const { keyboard } = page
      await keyboard.press('x')
      t.ok(await page.getByRole('checkbox', { name: 'Select “A road”' }).isChecked())
      await keyboard.press('Shift+ArrowDown')
      t.equal(await focusedText(page), 'A school')
      await page.getByRole('status').getByText('2 selected').waitFor()
      await keyboard.press('ControlOrMeta+a')
      await page.getByRole('status').getByText('3 selected').waitFor()
      await keyboard.press('Escape')
      await page.getByRole('checkbox', { name: 'Select all 3 listed' }).waitFor()
      await page.getByRole('checkbox', { name: 'Select “A road”' }).focus()
      await keyboard.press('Space')
      await page.getByRole('checkbox', { name: 'Select “A well”' }).focus()
      await keyboard.press('Shift+Space')
      await page.getByRole('status').getByText('3 selected').waitFor()
      await page.getByRole('button', { name: 'Archive' }).focus()
      await keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Archive 3 publications?' }).waitFor()
      for (let steps = 9; (await focusedText(page)) !== 'Archive 3 publications' && steps > 0; steps -= 1)
        await keyboard.press('Tab')
      await page.locator('.act:not([aria-disabled])').waitFor()
      await keyboard.press('Enter')
      await report(page, '3 archived').waitFor()
      t.equal(await focusedText(page), '3 archived', 'the focus is on the report')
      await keyboard.press('z')
      await report(page, '3 restored').waitFor()
      t.match(await statuses(fixture), { 'A well': 'Live', 'A school': 'Live', 'A road': 'Live' })
    })
  },
)

t.test(
  'M8: on a phone, in French and dark, labels are added to many; undo removes only what was added',
  async (t) => {
    await scenario(t, { ...PHONE, language: 'fr' }, async (page, { fixture }) => {
      const id = await addPublication(fixture, { itemTitle: 'Un puits' })
      await addPublication(fixture, { itemTitle: 'Une école' })
      await fixture.call('POST', `/library/${id}/label`, { as: 'manager', json: { labelId: 'water' } })
      const labelled = async () => {
        const answer = await fixture.call('GET', '/library/', { as: 'manager', query: { labelId: 'water' } })
        return ((await answer.json()) as { items: ReadonlyArray<unknown> }).items.length
      }
      await page.goto('/console/library')
      await page.getByRole('checkbox', { name: 'Tout sélectionner (2 affichés)' }).tap()
      await looksRight(t, page, 'sélection')
      await page.getByRole('button', { name: 'Étiquettes' }).tap()
      await page.getByRole('dialog').getByRole('combobox', { name: 'Étiquette' }).selectOption('Eau')
      await looksRight(t, page, 'étiquettes')
      await page.getByRole('dialog').getByRole('button', { name: 'Ajouter l’étiquette' }).tap()
      const done = page.getByRole('region', { name: '1 sur 2 étiqueté' })
      await done.getByText('1 l’était déjà').tap()
      await done.getByRole('listitem').filter({ hasText: 'Un puits' }).waitFor()
      await done.getByText('1 fait').waitFor()
      await looksRight(t, page, 'rapport')
      t.equal(await labelled(), 2)
      await done.getByRole('button', { name: 'Revenir en arrière (1)' }).tap()
      await page.getByRole('region', { name: '1 rétabli' }).waitFor()
      t.equal(await labelled(), 1)
    })
  },
)

t.test(
  'I4, I5: the end of the page interrupts an act: what the server did is asked for, the rest is named as not begun',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      const titles = Array.from({ length: 6 }, (_, n) => `Report ${n + 1}`)
      for (const itemTitle of titles) await addPublication(fixture, { itemTitle })
      await page.goto('/console/library')
      await page.getByRole('checkbox', { name: 'Select all 6 listed' }).check()
      const answered = Promise.withResolvers<void>()
      let [sent, arrived] = [0, 0]
      await page.route(/\/library\/[0-9a-f-]{36}$/, async (route) => {
        if (route.request().method() !== 'POST' || sent === 4) return route.continue()
        sent += 1
        await route.fetch()
        arrived += 1
        if (arrived === 4) answered.resolve()
      })
      await page.getByRole('button', { name: 'Archive' }).click()
      await confirm(page, 'Archive')
      await answered.promise
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      const done = report(page, '4 of 6 archived')
      await done.waitFor()
      await done.getByRole('heading', { name: '2 not begun' }).waitFor()
      const archived = Object.values(await statuses(fixture)).filter((status) => status === 'Archived')
      t.equal(archived.length, 4, 'as the report says')
      await looksRight(t, page, 'interrupted')
      await done.getByRole('button', { name: 'Go on with the rest' }).click()
      await report(page, '6 archived').getByRole('button', { name: 'Undo (6)' }).click()
      await report(page, '6 restored').waitFor()
      t.ok(Object.values(await statuses(fixture)).every((status) => status === 'Draft'))
      await page.getByRole('button', { name: 'Close the report' }).click()
      await page.reload()
      await page.getByRole('link', { name: 'Report 1' }).waitFor()
      t.equal(await page.getByRole('region', { name: '6 restored' }).count(), 0)
    })
  },
)

t.test('I5: lost answers are unknown and asked for again; stop begins no further posts', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [/ERR_/] }, async (page, { fixture }) => {
    const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
    await addPosts(fixture, ...titles)
    await page.goto('/console/feed')
    await page.getByRole('checkbox', { name: 'Select all 6 listed' }).check()
    const begun = new Set<string>()
    const allBegun = Promise.withResolvers<void>()
    const isStopped = Promise.withResolvers<void>()
    const pattern = /\/console\/api\/feed\/[0-9a-f-]{36}$/
    await page.route(pattern, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      if (begun.add(route.request().url()).size === 4) allBegun.resolve()
      await isStopped.promise
      await route.fetch()
      return route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Publish' }).click()
    await confirm(page, 'Publish')
    await allBegun.promise
    await page.getByText('0 of 6').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    isStopped.resolve()
    const done = report(page, '0 of 6 published')
    await done.waitFor()
    await done.getByRole('heading', { name: '4 without an answer' }).waitFor()
    await done.getByRole('heading', { name: '2 not begun' }).waitFor()
    await page.unroute(pattern)
    await done.getByRole('button', { name: 'Go on with the rest' }).click()
    await report(page, '6 published').waitFor()
    const answer = await fixture.call('GET', '/feed/', { as: 'user' })
    t.equal(((await answer.json()) as { items: ReadonlyArray<unknown> }).items.length, 6)
  })
})

t.test(
  'C10, I5: in random acts the report says what the history says, and undo restores the rest',
  async (t) => {
    const opened = await openConsole(t, assets)
    const settings = { ...DESKTOP, baseURL: opened.baseURL, expected: [/^console: .*(?:\b4\d\d\b|ERR_)/] }
    await inPage(browser, settings, async (page) => {
      await page.context().addCookies([await opened.signIn()])
      page.on('dialog', (dialog) => void dialog.accept())
      for (const seed of [2, 6]) t.strictSame((await bulkRound(opened, page, seed)).findings, [])
    })
  },
)
