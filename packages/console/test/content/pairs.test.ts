import t from 'tap'
import type { OpenedConsole } from '../support/console-server.ts'
import {
  addPublication,
  browser,
  DESKTOP,
  FILE,
  looksRight,
  PHONE,
  PRESS_AT_ONCE,
  PUBLICATION,
  REFUSED,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

type Fixture = OpenedConsole['fixture']

/** Adds a publication in both languages, linked, with these states. */
const addPair = async (
  fixture: Fixture,
  titles: readonly [en: string, fr: string],
  states: readonly [en: string, fr: string],
) => {
  const en = await addPublication(fixture, { itemTitle: titles[0], lang: 'en' }, states[0])
  const fr = await addPublication(fixture, { itemTitle: titles[1], lang: 'fr' }, states[1])
  const json = { counterpartId: fr }
  await fixture.call('PUT', `/library/${en}/translation`, { as: 'manager', json })
  fixture.clock.advance(60_000)
  return { en, fr }
}

const itemOf = async (fixture: Fixture, itemId: string) => {
  const answer = await fixture.call('GET', `/library/${itemId}`, { as: 'manager' })
  type Read = {
    readonly items: ReadonlyArray<{ readonly item: Record<'status' | 'itemTitle' | 'coverImgUrl', string> }>
  }
  return ((await answer.json()) as Read).items[0]?.item
}

const statusOf = async (fixture: Fixture, itemId: string) => (await itemOf(fixture, itemId))?.status

const titleOf = async (fixture: Fixture, itemId: string) => (await itemOf(fixture, itemId))?.itemTitle

t.test('J7, M8: a publication in two languages is one row, with the state of each', async (t) => {
  const options = { ...DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] }
  await scenario(t, options, async (page, { fixture, baseURL }) => {
    for (let n = 10; n < 36; n += 1)
      await addPublication(fixture, { itemTitle: `Note ${n}`, itemPublicationDate: '2026-01-01' })
    const school = await addPair(fixture, ['A school', 'Une école'], ['Live', 'Draft'])
    const well = await addPair(fixture, ['A well', 'Un puits'], ['Live', 'Live'])
    const words = { ...PUBLICATION, itemTitle: 'A deep well', status: 'Live' }
    await fixture.call('POST', `/library/${well.en}`, { as: 'manager', json: words })

    await page.goto('/console/library')
    const rows = page.getByRole('list', { name: 'Library' }).getByRole('listitem')
    const row = (title: string) => rows.filter({ has: page.getByRole('link', { name: title }) })
    await page.getByRole('heading', { name: /Library\s*28/ }).waitFor()
    t.match(await row('Un puits').textContent(), /A deep well.*English\s*Live.*French\s*Live/)
    await row('Un puits').getByText('Changed in English: title').waitFor()
    t.match(await row('Une école').textContent(), /English\s*Live.*French\s*Draft/)
    const size = "(({ width, height }) => width + ' ' + height)(document.querySelector('.thumb img'))"
    t.equal(await page.evaluate(size), '72 72', 'the place of an image is known before it is there')
    await looksRight(t, page, 'list of pairs')

    await page.getByLabel('Order').selectOption('title')
    await rows.first().getByRole('link', { name: 'Note 10' }).waitFor()
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await row('Une école').waitFor()
    await row('Une école').getByRole('link', { name: 'French' }).click()
    await page.getByRole('heading', { name: 'Une école', level: 1 }).waitFor()
    await page.locator('.back a').click()
    await row('Une école').waitFor()
    t.match(page.url(), /order=title&offset=25/, 'the way back leads to the same page of the list')

    await row('Une école').getByRole('button', { name: 'Copy the link to “Une école”' }).click()
    await page.getByText('Link copied.').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    t.equal(copied, `${baseURL}/console/library/${school.fr}/translation`)

    await page.getByRole('checkbox', { name: 'Select “Une école”' }).check()
    await page.getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('English', { exact: true }).click()
    t.strictSame(await dialog.locator('.bulk-names li').allTextContents(), ['A school'])
    await dialog.getByText('Both languages').click()
    t.strictSame(await dialog.locator('.bulk-names li').allTextContents(), ['Une école', 'A school'])
    await looksRight(t, page, 'question about pairs')
    await dialog.getByText('English', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Archive 1 publication' }).click()
    await page.getByRole('region', { name: /^1 .*archived/ }).waitFor()
    t.equal(await statusOf(fixture, school.en), 'Archived')
    t.equal(await statusOf(fixture, school.fr), 'Draft', 'the other language stays')

    await page.goto('/console/library?status=Draft')
    await page.getByRole('checkbox', { name: 'Select all 25 listed' }).check()
    await page.getByRole('button', { name: 'Select all 27 that match' }).click()
    await page.getByRole('status').getByText('27 selected').waitFor()
    await page.getByRole('button', { name: 'Clear the selection' }).click()

    await row('Une école').getByRole('button', { name: 'Duplicate “Une école”' }).click()
    await page.getByRole('textbox', { name: 'Title' }).first().waitFor()
    t.strictSame(
      await page
        .getByRole('textbox', { name: 'Title' })
        .evaluateAll((all) => all.map((one) => Reflect.get(one, 'value'))),
      ['Copy of A school', 'Copy of Une école'],
    )
    await page.getByRole('textbox', { name: 'Title' }).first().fill('A long title '.repeat(7))
    const tops = await page
      .getByRole('textbox', { name: 'Text' })
      .evaluateAll((all) =>
        all.map((one) => Reflect.get(Reflect.get(one, 'getBoundingClientRect').call(one), 'top')),
      )
    t.equal(tops.length, 2)
    t.equal(tops[0], tops[1], 'each pair of fields stands on one line')
    t.match(await page.title(), /^Copy of (?:A school|Une école) · Almoner$/)
    await page.getByRole('navigation').getByText('1 to do').waitFor({ state: 'attached' })
  })
})

t.test('M12: both languages are published by a press on what was seen, and taken back as one', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
    const pair = await addPair(fixture, ['A school', 'Une école'], ['Live', 'Live'])
    const titles = () => Promise.all([titleOf(fixture, pair.en), titleOf(fixture, pair.fr)])
    await page.goto('/console/library')
    await page.getByRole('heading', { name: /Library\s*1/ }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('menuitem', { name: 'New publication' }).waitFor()
    await page.keyboard.type('une ecole')
    const found = page.getByRole('group', { name: 'Library' }).getByRole('menuitem')
    await found.filter({ hasText: 'Une école' }).filter({ hasText: 'A school' }).waitFor()
    t.equal(await found.count(), 1, 'one line for both languages')
    await looksRight(t, page, 'a pair in the palette')
    await found.click()
    await page.getByRole('button', { name: 'Publish both' }).waitFor()

    let saves = 0
    await page.route(/\/console\/api\/library\/[0-9a-f-]{36}$/, (route) => {
      if (route.request().method() === 'POST') saves += 1
      return route.continue()
    })
    await page.addInitScript(PRESS_AT_ONCE)
    await page.reload()
    const isSeen = () => page.locator('.editor-actions .act:not([aria-disabled]) .primary').waitFor()
    await isSeen()
    t.equal(saves, 0, 'nothing was saved unseen')
    const field = (side: string, name: string) =>
      page.getByRole('region', { name: side }).getByRole('textbox', { name })
    await field('English', 'Title').fill('A new school')
    await field('French', 'Title').fill('Une nouvelle école')
    await page.getByRole('button', { name: 'Publish both' }).dblclick()
    await page.getByText('Both are published. Readers see them now.').waitFor()
    t.equal(saves, 2, 'one save a language')
    t.same(await titles(), ['A new school', 'Une nouvelle école'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'A school', level: 1 }).waitFor()
    t.same(await titles(), ['A school', 'Une école'], 'one act, undone as one')

    await isSeen()
    await field('English', 'Title').fill('A better school')
    await field('French', 'Text').fill('')
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Only the English is saved.').waitFor()
    t.same(await titles(), ['A better school', 'Une école'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'A school', level: 1 }).waitFor()
    t.same(await titles(), ['A school', 'Une école'])
  })
})

t.test('M12: an image of both languages is replaced, and each gets its own back by one undo', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const pair = await addPair(fixture, ['A school', 'Une école'], ['Live', 'Live'])
    const covers = async () => {
      const items = await Promise.all([itemOf(fixture, pair.en), itemOf(fixture, pair.fr)])
      return items.map((item) => item?.coverImgUrl)
    }
    const before = await covers()
    await page.goto(`/console/library/${pair.en}/translation`)
    await page.locator('#field-cover input[type=file]').setInputFiles(FILE)
    const dialog = page.getByRole('dialog', { name: 'Cover: replace it?' })
    await dialog.getByRole('button', { name: 'Replace: Cover' }).click()
    await page.getByText('Cover: replaced. Readers see the new one.').waitFor()
    const [english, french] = await covers()
    t.equal(french, english, 'both show the new image')
    t.notOk(before.includes(english))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator(`#field-cover img[src="${before[0]}"]`).waitFor()
    t.strictSame(await covers(), before)
  })
})

t.test('J7, M8: rows and pages of the library on a phone, in French', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, { fixture }) => {
    for (let n = 0; n < 55; n += 1)
      await addPublication(fixture, { itemTitle: `Note ${n}`, itemPublicationDate: '2026-01-01' })
    await addPair(fixture, ['A school', 'Une école'], ['Live', 'Draft'])
    await page.goto('/console/library')
    await page.getByRole('link', { name: 'Une école' }).waitFor()
    await looksRight(t, page, 'rows')
    await page.getByRole('textbox', { name: 'Page' }).fill('3')
    await page.getByRole('textbox', { name: 'Page' }).press('Enter')
    await page.getByText('51–56 sur 56').waitFor()
    await looksRight(t, page, 'last page')
  })
})
