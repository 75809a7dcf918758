import { done, sampleDevice, sampleEmail } from '@almoner/testkit/contracts'
import t from 'tap'
import { listed, notify, review, seconds } from '../../../adapters-http/test/support/notifications.ts'
import type { OpenedConsole } from '../support/console-server.ts'
import {
  addPublication,
  browser,
  DESKTOP,
  looksRight,
  PHONE,
  scenario,
  typeTime,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

/** A Live publication in both languages, and readers of each. Returns the ids of both. */
const prepare = async ({ fixture }: OpenedConsole) => {
  const en = await addPublication(fixture, {}, 'Live')
  const fr = await addPublication(fixture, { itemTitle: 'De l’eau propre', lang: 'fr' }, 'Live')
  const json = { counterpartId: fr }
  await fixture.call('PUT', `/library/${en}/translation`, { as: 'manager', json })
  for (const n of [1, 2, 3]) await done(fixture.ports.devices.attach(sampleDevice(n)))
  await done(fixture.ports.users.prefer(sampleEmail(3), { lang: 'fr' }))
  return { en, fr }
}

const allOf = async ({ fixture }: OpenedConsole) =>
  (await listed(fixture)).map(({ lang, title, date }) => [lang, title, date]).sort()

t.test('M12: readers are not notified twice without a question that names the earlier date', async (t) => {
  await scenario(t, DESKTOP, async (page, console) => {
    const { en } = await prepare(console)
    await notify(console.fixture, {
      date: seconds('2026-05-01T08:00:00Z'),
      resource_id: en,
      title: 'Clean water',
    })
    await review(console.fixture)
    await page.goto(`/console/notifications/new?item=${en}`)
    const earlier = page.getByRole('region', { name: 'Sent or scheduled about this publication' })
    await earlier.getByText('1 May 2026 at 08:00').waitFor()
    await earlier.getByText('2 devices').waitFor()
    const [english, french] = [
      page.getByRole('switch', { name: 'Send in English' }),
      page.getByRole('switch', { name: 'Send in French' }),
    ]
    t.equal(await english.isChecked(), false, 'a language that was announced is not sent again by default')
    t.equal(await french.isChecked(), true)
    await page.getByText('Choose a day and a time.').waitFor()
    await looksRight(t, page, 'announced')
    await french.press('Space')
    await english.press('Space')
    await page.getByRole('radio', { name: 'Now' }).press('Space')
    await page.getByRole('button', { name: 'Send now…' }).click()
    const question = page.getByRole('dialog', { name: 'Send a second one to 2 devices now?' })
    await question
      .getByText(
        'Readers of English have had one about this publication on 1 May 2026 at 08:00, on 2 devices.',
      )
      .waitFor()
    await looksRight(t, page, 'second one')
    await question.getByRole('button', { name: 'Not yet' }).click()
    t.equal((await allOf(console)).length, 1)
    await page.getByRole('button', { name: 'Send now…' }).click()
    await question.getByRole('button', { name: 'Send a second one to 2 devices' }).click()
    await page.getByText('It is scheduled.').waitFor()
    t.equal((await allOf(console)).length, 2)
  })
})

t.test('G14: a language that is added takes the coming time of the other, and both are one', async (t) => {
  await scenario(t, DESKTOP, async (page, console) => {
    const { en } = await prepare(console)
    const { id } = await notify(console.fixture, {
      ...{ date: seconds('2039-05-01T08:00:00Z'), resource_id: en, title: 'Clean water' },
    })
    await page.goto(`/console/notifications/new?item=${en}`)
    await page
      .getByText('Sunday 1 May 2039 at 08:00')
      .or(page.getByText('Sunday, 1 May 2039 at 08:00'))
      .waitFor()
    await page.getByRole('button', { name: 'Schedule…' }).click()
    await page.getByRole('button', { name: 'Schedule for 1 device', exact: true }).click()
    await page.getByText('It is scheduled.').waitFor()
    const both = (time: string) => [
      ['en', 'Clean water', time],
      ['fr', 'De l’eau propre', time],
    ]
    t.strictSame(await allOf(console), both('2039-05-01 08:00:00'))
    await page.goto(`/console/notifications/${id}`)
    await page.getByText('Other language').waitFor()
    await page.getByRole('link', { name: 'Change it' }).click()
    const [english, french] = ['English', 'French'].map((name) =>
      page.getByRole('region', { name }).getByRole('textbox', { name: 'Title', exact: true }),
    )
    await french?.fill('De l’eau')
    await english?.fill('Water')
    await typeTime(page, 'Time of day', '0930')
    await page.getByRole('button', { name: 'Schedule…' }).click()
    await page.getByRole('button', { name: 'Schedule for 3 devices' }).click()
    await page.getByText('It is scheduled.').waitFor()
    t.strictSame(
      await allOf(console),
      [
        ['en', 'Water', '2039-05-01 09:30:00'],
        ['fr', 'De l’eau', '2039-05-01 09:30:00'],
      ],
      'composed side by side, moved together',
    )
  })
})

t.test('G14: both languages are cancelled together, in French on a phone, or neither', async (t) => {
  const expected = [/^console: .*\b(?:404|409|412)\b/]
  await scenario(t, { ...PHONE, language: 'fr', expected }, async (page, console) => {
    const { fixture } = console
    const date = seconds('2039-05-01T08:00:00Z')
    const { id } = await notify(fixture, { date, title: 'Water' })
    const other = await notify(fixture, { date, title: 'Eau', lang: 'fr', counterpartId: id })
    const cancel = async () => {
      await page.getByRole('button', { name: 'Annuler cette notification' }).tap()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Elle est annulée dans les deux langues.').waitFor()
      await looksRight(t, page, 'cancel both')
      await dialog.getByRole('button', { name: 'Annuler la notification' }).tap()
    }
    await page.goto(`/console/notifications/${other.id}`)
    await page.getByText('Autre langue').waitFor()
    const json = { title: 'Eau claire' }
    await page.route('**/console/api/notification/*', async (route) => {
      if (route.request().method() === 'POST')
        await fixture.call('POST', `/notification/${other.id}`, { as: 'manager', json })
      await route.continue()
    })
    await cancel()
    await page.getByRole('alert').waitFor()
    t.equal((await listed(fixture)).length, 2, 'C10: it has changed since it was read')
    await page.unroute('**/console/api/notification/*')
    await page.reload()
    await page.getByRole('heading', { name: 'Eau claire' }).waitFor()
    await cancel()
    await page.getByText('La notification est annulée.').waitFor()
    t.strictSame(await listed(fixture), [])
  })
})
