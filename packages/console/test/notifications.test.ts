import { done, sampleDevice } from '@almoner/domain/contracts'
import type { TimeZone } from '@almoner/domain/values'
import t from 'tap'
import { deferred, fcmError, replyJson } from '../../../testing/push-providers/src/index.ts'
import { listed, notify, review, seconds } from '../../adapters-http/test/support/notifications.ts'
import { withFcm } from '../../adapters-push/test/fcm.ts'
import { browser, DESKTOP, looksRight, PHONE, scenario } from './support/scenario.ts'

t.teardown(() => browser.close())

const PARIS = 'Europe/Paris' as TimeZone

/** Past at the fixture's clock, which stands at noon of 1 May 2026. */
const DUE = seconds('2026-05-01T08:00:00Z')

t.test(
  'G7: a notification is watched while it goes out; the report says why devices have not got it',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { rig }) => {
      const { fcm, gateway } = await withFcm(t)
      for (let n = 1; n <= 5; n += 1) await done(rig.ports.devices.attach(sampleDevice(n)))
      await done(rig.ports.devices.attach(sampleDevice(6, { kind: 'unroutable' })))
      const last = deferred(replyJson(200, { name: 'projects/loopback-project/messages/1' }))
      fcm.always('token-1', fcmError('UNREGISTERED'))
      fcm.always('token-5', last.answer)
      await notify(rig, { title: 'Six new wells', date: DUE })
      await page.goto('/console/notifications?month=2026-05')
      await page.getByRole('link', { name: 'Six new wells' }).click()
      await page.getByRole('status').getByText('Scheduled').waitFor()
      const reviewed = review(rig, gateway, 2)
      await last.arrived
      await page.getByText('5 of 6 devices').waitFor()
      const bar = page.getByRole('progressbar', { name: 'Devices that are done' })
      t.equal(await bar.getAttribute('value'), '5')
      await looksRight(t, page, 'sending')
      last.release()
      await reviewed
      await page.getByRole('status').getByText('Sent, not to all').waitFor()
      const report = page.getByRole('region', { name: 'Report' })
      for (const line of [
        '4 devices have got it',
        '1 device has removed the app',
        '1 device could not be reached',
      ])
        await report.getByText(line).waitFor()
      t.equal(await page.getByRole('button').count(), 0, 'it cannot be cancelled any more')
    })
  },
)

t.test('G3: until it is sent, a notification can be cancelled; while it is sent, stopped', async (t) => {
  await scenario(t, DESKTOP, async (page, { rig }) => {
    await done(rig.ports.devices.attach(sampleDevice(1)))
    for (const [title, open, confirm, message] of [
      ['Too early', 'Cancel this notification', 'Do not send it', 'The notification is cancelled.'],
      ['A mistake', 'Stop sending', 'Stop and delete', 'The notification is stopped.'],
    ] as const) {
      const { id } = await notify(rig, { title, date: DUE })
      if (open === 'Stop sending') await done(rig.ports.deliveries.start(rig.clock.now(), 86_400_000))
      await page.goto(`/console/notifications/${id}`)
      await page.getByRole('button', { name: open }).click()
      const dialog = page.getByRole('dialog')
      await looksRight(t, page, open)
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('button', { name: open }).click()
      await dialog.getByRole('button', { name: confirm }).click()
      await page.getByText(message).waitFor()
      t.match(page.url(), /\/notifications$/)
      t.strictSame(await listed(rig), [])
    }
  })
})

t.test('M8: on a phone, the calendar of a month in French, by language and state', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr', zone: PARIS }, async (page, { rig }) => {
    await notify(rig, { title: 'Six new wells', date: DUE })
    await review(rig)
    await notify(rig, { title: 'Six puits', lang: 'fr', date: seconds('2026-05-30T22:30:00Z') })
    await page.goto('/console/notifications?month=2026-06')
    await page.getByRole('heading', { name: 'Aucune notification en juin 2026' }).waitFor()
    await page.getByRole('link', { name: 'Mois précédent' }).tap()
    await page.getByRole('heading', { name: 'dimanche 31 mai' }).waitFor()
    await page.getByRole('combobox', { name: 'Affichage' }).selectOption('Calendrier')
    const calendar = page.getByRole('table', { name: 'mai 2026' })
    await calendar.getByRole('link', { name: /^Anglais, 10:00 Six new wells/ }).waitFor()
    await looksRight(t, page, 'calendar')
    await page.getByRole('combobox', { name: 'État' }).selectOption('Planifiées')
    await calendar.getByRole('link', { name: /Six new wells/ }).waitFor({ state: 'detached' })
    await calendar.getByRole('link', { name: /^Français, 00:30 Six puits/ }).tap()
    await page.getByRole('heading', { name: 'Six puits' }).waitFor()
  })
})
