import fc from 'fast-check'
import t from 'tap'
import { notify, seconds } from '../../../adapters-http/test/support/notifications.ts'
import { dayIn, onDay } from '../../src/ui/send-time.ts'
import { addPublication, browser, DESKTOP, looksRight, PHONE, scenario } from '../support/scenario.ts'

t.teardown(() => browser.close())

t.test('C15: a moment moves to another day and keeps its time by the clocks of the zone', async () => {
  const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  const zone = fc.constantFrom('UTC', 'Europe/Paris', 'America/New_York', 'Pacific/Auckland')
  fc.assert(
    fc.property(moment, moment, zone, (one, other, timeZone) => {
      const day = dayIn(other.toISOString(), timeZone)
      const moved = onDay(one.toISOString(), day, timeZone)
      const timeOf = (at: string) =>
        new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(new Date(at))
      // An hour that the change to summer time leaves out becomes the next one.
      const [before, after] = [timeOf(one.toISOString()), timeOf(moved)]
      return dayIn(moved, timeZone) === day && before.slice(3) === after.slice(3)
    }),
  )
})

t.test('M12, C15, G13: publications, schedules and notifications are moved by day, with undo', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const id = await addPublication(
      fixture,
      { itemTitle: 'Wells', itemPublicationDate: '2026-05-04' },
      'Live',
    )
    const draft = await addPublication(fixture, { itemTitle: 'Harvest', itemPublicationDate: '2026-06-30' })
    const planned = {
      itemTitle: 'Harvest',
      itemDescription: 'Text',
      link: 'https://example.org/',
      status: 'Draft',
    }
    const images = {
      coverImgUrl: 'https://example.org/c.jpg',
      notificationImgUrl: 'https://example.org/n.jpg',
    }
    const json = { ...planned, ...images, publishAt: seconds('2026-05-12T06:00:00Z') }
    t.equal((await fixture.call('POST', `/library/${draft}`, { as: 'manager', json })).status, 200)
    await notify(fixture, { title: 'Six wells', date: seconds('2026-05-20T08:00:00Z') })
    await page.goto('/console/calendar?day=2026-05-10')
    const dayOf = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await dayOf('Mon 4 May').getByRole('link', { name: 'Wells' }).waitFor()
    await dayOf('Tue 12 May').getByRole('link', { name: 'Harvest' }).waitFor()
    await dayOf('Wed 20 May').getByRole('link', { name: 'Six wells' }).waitFor()
    await looksRight(t, page, 'calendar')
    await page.locator('.agenda-entry', { hasText: 'Wells' }).first().dragTo(dayOf('Thu 7 May'))
    await dayOf('Thu 7 May').getByRole('link', { name: 'Wells' }).waitFor()
    const dateOf = async () => {
      const answer = await fixture.call('GET', `/library/${id}`, { as: 'manager' })
      const { items } = (await answer.json()) as { items: [{ item: { itemPublicationDate: string } }] }
      return items[0].item.itemPublicationDate
    }
    t.equal(await dateOf(), '2026-05-07')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await dayOf('Mon 4 May').getByRole('link', { name: 'Wells' }).waitFor()
    t.equal(await dateOf(), '2026-05-04', 'M12: undo')
    for (const [title, day, target] of [
      ['Harvest', '13', 'Wed 13 May'],
      ['Six wells', '21', 'Thu 21 May'],
    ] as const) {
      await page.getByRole('button', { name: `Move “${title}” to another day` }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('spinbutton', { name: /^day/ }).first().press('ArrowUp')
      await dialog.getByRole('button', { name: new RegExp(`Move to .*${day}`) }).waitFor()
      await dialog.locator('.act:not([aria-disabled])').waitFor()
      await dialog.getByRole('button', { name: new RegExp(`Move to .*${day}`) }).press('Enter')
      await dayOf(target).getByRole('link', { name: title }).waitFor()
    }
    await page.getByRole('link', { name: 'Week' }).click()
    await page.getByRole('link', { name: 'Later' }).click()
    await dayOf('Wed 13 May').getByRole('link', { name: 'Harvest' }).waitFor()
    t.equal(await page.locator('.agenda-day').count(), 7)
    await looksRight(t, page, 'week')
  })
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, { fixture }) => {
    await addPublication(fixture, { itemTitle: 'Wells', itemPublicationDate: '2026-05-04' })
    await page.goto('/console/calendar?day=2026-05-10')
    await page.getByRole('link', { name: 'Wells' }).waitFor()
    await looksRight(t, page, 'calendrier')
  })
})
