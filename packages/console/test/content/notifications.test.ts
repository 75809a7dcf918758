import type { Email, Ports } from '@almoner/domain'
import type { DeviceToken } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'
import type { TimeZone } from '@almoner/domain/values'
import { done, sampleDevice, sampleEmail } from '@almoner/testkit/contracts'
import t from 'tap'
import { deferred, fcmError, replyJson } from '../../../../testing/push-providers/src/index.ts'
import { listed, notify, review, seconds } from '../../../adapters-http/test/support/notifications.ts'
import { withFcm } from '../../../adapters-push/test/fcm.ts'
import type { OpenedConsole } from '../support/console-server.ts'
import {
  addPublication,
  browser,
  DESKTOP,
  looksRight,
  PHONE,
  REFUSED,
  scenario,
  typeTime,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

const PARIS = 'Europe/Paris' as TimeZone

/** Past at the fixture's clock, which stands at noon of 1 May 2026. */
const DUE = seconds('2026-05-01T08:00:00Z')

t.test(
  'G7: a notification is watched while it goes out; the report says why devices have not got it',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      const { fcm, gateway } = await withFcm(t)
      for (let n = 1; n <= 5; n += 1) await done(fixture.ports.devices.attach(sampleDevice(n)))
      await done(fixture.ports.devices.attach(sampleDevice(6, { kind: 'unroutable' })))
      const sent = replyJson(200, { name: 'projects/loopback-project/messages/1' })
      const [first, last] = [deferred(sent), deferred(sent)]
      fcm.always('token-4', first.answer)
      fcm.always('token-1', fcmError('UNREGISTERED'))
      fcm.always('token-5', last.answer)
      await notify(fixture, { title: 'Six new wells', date: DUE })
      await page.goto('/console/notifications?month=2026-05')
      await page.getByRole('link', { name: 'Six new wells' }).click()
      await page.getByRole('status').getByText('Scheduled').waitFor()
      const reviewed = review(fixture, { ...gateway, bytesOf: () => 4097 }, 2)
      const bar = page.getByRole('progressbar', { name: 'Devices that are done' })
      for (const [answer, count] of [
        [first, 4],
        [last, 5],
      ] as const) {
        await answer.arrived
        await page.getByText(`${count} of 6 devices`).waitFor()
        t.equal(await bar.getAttribute('value'), String(count), 'the bar moves')
        if (answer === first) first.release()
      }
      await looksRight(t, page, 'sending')
      last.release()
      await reviewed
      await page.getByRole('status').getByText('Sent, not to all').waitFor()
      const report = page.getByRole('region', { name: 'Report' })
      for (const line of [
        '4 devices have got it',
        '1 device has removed the app',
        '1 device could not be reached',
        'It went out without its picture and its link: with them, it had become too large.',
      ])
        await report.getByText(line).waitFor()
      t.equal(await page.getByRole('main').getByRole('button').count(), 0, 'it cannot be cancelled any more')
    })
  },
)

t.test('G3: until it is sent, a notification can be cancelled; while it is sent, stopped', async (t) => {
  // The page may ask for the report of a notification that is deleted at this moment.
  const expected = [/^console: .*\b404\b.*\/delivery\b/]
  await scenario(t, { ...DESKTOP, expected }, async (page, { fixture }) => {
    await done(fixture.ports.devices.attach(sampleDevice(1)))
    for (const [title, open, confirm, message, keep] of [
      [
        'Too early',
        'Cancel this notification',
        'Cancel the notification',
        'The notification is cancelled.',
        'Keep it',
      ],
      [
        'A mistake',
        'Stop sending',
        'Stop and delete the notification',
        'The notification is stopped.',
        'Go on sending',
      ],
    ] as const) {
      const { id } = await notify(fixture, { title, date: DUE })
      if (open === 'Stop sending') await done(fixture.ports.deliveries.start(fixture.clock.now(), 86_400_000))
      await page.goto(`/console/notifications/${id}`)
      await page.getByRole('button', { name: open }).click()
      const dialog = page.getByRole('dialog')
      await looksRight(t, page, open)
      await dialog.getByRole('button', { name: keep }).click()
      await page.getByRole('button', { name: open }).click()
      await dialog.getByRole('button', { name: confirm }).click()
      await page.getByText(message).waitFor()
      t.match(page.url(), /\/notifications$/)
      t.strictSame(await listed(fixture), [])
    }
  })
})

t.test(
  'M8: on a phone, the calendar of a month in French, in a time zone of one’s own, by language and state',
  async (t) => {
    await scenario(t, { ...PHONE, language: 'fr' }, async (page, { fixture }) => {
      await notify(fixture, { title: 'Six new wells', date: DUE })
      await review(fixture)
      await notify(fixture, { title: 'Six puits', lang: 'fr', date: seconds('2026-04-30T22:30:00Z') })
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      await page.request.put('/console/api/session/time-zone', { headers, data: { timeZone: PARIS } })
      await page.goto('/console/notifications?month=2026-06')
      await page.getByRole('heading', { name: 'Aucune notification en juin 2026' }).waitFor()
      await page.getByRole('link', { name: 'Mois précédent' }).tap()
      await page.getByRole('heading', { name: 'vendredi 1 mai' }).waitFor()
      await page.getByRole('combobox', { name: 'Affichage' }).selectOption('Calendrier')
      const calendar = page.getByRole('table', { name: 'mai 2026' })
      await calendar.getByRole('link', { name: /^Anglais, 10:00 Six new wells/ }).waitFor()
      await looksRight(t, page, 'calendar')
      await page.getByRole('combobox', { name: 'État' }).selectOption('Planifiées')
      await calendar.getByRole('link', { name: /Six new wells/ }).waitFor({ state: 'detached' })
      await calendar.getByRole('link', { name: /^Français, 00:30 Six puits/ }).tap()
      await page.getByRole('heading', { name: 'Six puits' }).waitFor()
    })
  },
)

const CAMILLE = 'camille@example.org' as string as Email

/** A Live publication in both languages, devices of readers, and one of Camille. Returns the id of the English one. */
const prepare = async ({ fixture }: OpenedConsole): Promise<string> => {
  const english = await addPublication(fixture, {}, 'Live')
  const french = await addPublication(fixture, { itemTitle: 'De l’eau propre', lang: 'fr' }, 'Live')
  const json = { counterpartId: french }
  await fixture.call('PUT', `/library/${english}/translation`, { as: 'manager', json })
  for (const n of [1, 2, 3, 4]) await done(fixture.ports.devices.attach(sampleDevice(n)))
  const iphone = { kind: 'apns', token: '5'.repeat(64) as DeviceToken } as const
  await done(fixture.ports.devices.attach(sampleDevice(5, iphone)))
  for (const n of [3, 4]) await done(fixture.ports.users.prefer(sampleEmail(n), { lang: 'fr' }))
  await done(fixture.ports.devices.attach(sampleDevice(6, { email: CAMILLE })))
  return english
}

/** Gives the gateway of a test the limit of Firefox on Android. */
const limitFirefox = ({ pushGateway }: Pick<Ports, 'pushGateway'>): void => {
  const smallerLimits: NonNullable<PushGateway['smallerLimits']> = (message) => [
    { service: 'firefox-android', bytes: pushGateway.bytesOf(message), most: 3070 },
  ]
  Object.assign(pushGateway, { smallerLimits })
}

const allOf = async ({ fixture }: OpenedConsole) =>
  (await listed(fixture)).map(({ lang, title, date }) => [lang, title, date])

t.test('G2, G4, G6: a publication is announced in both languages, at a time that is explained', async (t) => {
  const expected = [/^console: .*\b500\b/]
  await scenario(t, { ...DESKTOP, timezoneId: 'UTC', zone: PARIS, expected }, async (page, console) => {
    const id = await prepare(console)
    limitFirefox(console.fixture.ports)
    await page.goto(`/console/library/${id}`)
    await page.getByRole('link', { name: 'Notify readers' }).click()
    const [english, french] = ['English', 'French'].map((name) => page.getByRole('region', { name }))
    if (english === undefined || french === undefined) throw new TypeError('no regions')
    await english.getByText('4 devices').waitFor()
    await english.getByText('iPhone and iPad1').waitFor()
    await french.getByText('2 devices').waitFor()
    t.equal(await french.getByRole('textbox', { name: 'Title', exact: true }).inputValue(), 'De l’eau propre')
    await looksRight(t, page, 'composer')
    const text = english.getByRole('textbox', { name: 'Text' })
    await english.getByText('Shows all of it').nth(2).waitFor()
    await text.fill('Long words. '.repeat(30))
    await english
      .getByRole('figure', { name: /Android/ })
      .getByText('Cuts text')
      .waitFor()
    await english.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await english.getByRole('radio', { name: 'Small phone' }).check({ force: true })
    await looksRight(t, page, 'devices in the dark')
    await english.getByText(/^Firefox on Android: [\d,]+ of 3,070 bytes$/).waitFor()
    await text.fill('x'.repeat(3300))
    await english.getByText(/^Too large for Firefox on Android \(3,\d{3} of 3,070 bytes\)/).waitFor()
    t.equal(await english.getByText(/^Too large: /).count(), 0, 'others take it')
    await text.fill('x'.repeat(5000))
    await english.getByText(/^Too large: /).waitFor()
    await page.getByRole('button', { name: 'Schedule…' }).click()
    await page.getByRole('alert').getByText('Something is missing').waitFor()
    await text.fill('It gives water to six villages.')
    await typeTime(page, 'Time of day', '2:30')
    const day = page.getByRole('group', { name: 'Day' })
    await day.getByRole('spinbutton').first().focus()
    await page.keyboard.type('28032027')
    await page.getByText('There is no 02:30 on this day').waitFor()
    await page.getByText('Sunday, 28 March 2027 at 03:30').waitFor()
    await typeTime(page, 'Time of day', '10:00')
    const moment = page.getByText(
      'Sunday, 28 March 2027 at 10:00 (Europe/Paris, Central European Summer Time, UTC+2)',
    )
    await moment.waitFor()
    await page
      .getByText(/^The clocks change before then: .* Today it is UTC\+1, at that time UTC\+2\.$/)
      .waitFor()
    await page.getByText('On your clock: Sunday, 28 March 2027 at 08:00').waitFor()
    await page.getByText('Your text is kept').waitFor()
    await page.reload()
    t.equal(await text.inputValue(), 'It gives water to six villages.', 'it is kept')
    await page.getByRole('button', { name: 'Send the test in French' }).click()
    await page.getByText('Sent. It should be on your device').waitFor()
    t.strictSame(await allOf(console), [], 'a test schedules nothing')
    await page.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule it for 6 devices?' })
    await dialog.getByText('English, 4 devices').waitFor()
    await looksRight(t, page, 'last question')
    // The second of the two fails once: the first stays, and is not created again.
    await page.route('**/console/api/notification', async (route) => {
      const isFrench = route.request().postDataJSON().lang === 'fr'
      await (isFrench ? route.fulfill({ status: 500, json: {} }) : route.continue())
    })
    await dialog.getByRole('button', { name: 'Schedule for 6 devices' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/console/api/notification')
    await page.getByText('Your text is kept').waitFor()
    await page.reload()
    await english.getByRole('link', { name: 'This one is scheduled. Look at it' }).waitFor()
    await page.getByRole('button', { name: 'Schedule…' }).click()
    await page.getByRole('button', { name: 'Schedule for 2 devices' }).click()
    await page.getByText('It is scheduled.').waitFor()
    await page.getByRole('heading', { name: 'Sunday 28 March' }).waitFor()
    t.strictSame((await allOf(console)).sort(), [
      ['en', 'Clean water', '2027-03-28 08:00:00'],
      ['fr', 'De l’eau propre', '2027-03-28 08:00:00'],
    ])
    const tied = await listed(console.fixture, '/notification', { include: 'counterpart' })
    t.ok(
      tied.every((one) => 'counterpart' in one && one.counterpart !== null),
      'G14: one announcement',
    )
    t.strictSame(await done(console.fixture.ports.workingCopies.of(CAMILLE)), [], 'the working copy is gone')
  })
})

t.test('G3: a scheduled notification is changed until it is started, never sent twice', async (t) => {
  const expected = [REFUSED, /^console: .*\b(?:404|409|500)\b/]
  await scenario(t, { ...DESKTOP, expected }, async (page, console) => {
    const { fixture } = console
    const resource_id = await prepare(console)
    const { id } = await notify(fixture, { title: 'Six wels', date: DUE, resource_id })
    const title = page
      .getByRole('region', { name: 'English' })
      .getByRole('textbox', { name: 'Title', exact: true })
    const schedule = async () => {
      await page.getByRole('button', { name: 'Schedule…' }).click()
      await page.getByRole('button', { name: 'Schedule for 4 devices' }).click()
    }
    await page.goto(`/console/notifications/${id}`)
    await page.getByRole('link', { name: 'Change it' }).click()
    await title.fill('Six wells')
    // The change fails: nothing has changed, and its text is still there on another day.
    const path = '**/console/api/notification/*'
    await page.route(path, (route) => route.fulfill({ status: 500, json: {} }))
    await schedule()
    await page.getByRole('alert').waitFor()
    await page.unroute(path)
    t.strictSame(await allOf(console), [['en', 'Six wels', '2026-05-01 08:00:00']])
    await page.getByText('Your text is kept').waitFor()
    await page.reload()
    await schedule()
    await page.getByText('It is scheduled.').waitFor()
    t.strictSame(await allOf(console), [['en', 'Six wells', '2026-05-01 08:00:00']])
    const [second] = await listed(fixture)
    t.equal(second?.id, id, 'G13: in one step')
    await page.goto(`/console/notifications/new?change=${second?.id}`)
    await title.fill('Seven wells')
    await done(fixture.ports.deliveries.start(fixture.clock.now(), 86_400_000))
    await schedule()
    await page.getByRole('alert').getByText('It is being sent already').waitFor()
    await page.getByText('Your text is kept').waitFor()
    await page.reload()
    await page.getByText('It cannot be changed any more').waitFor()
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    await page.getByRole('heading', { name: 'Six wells' }).waitFor()
    t.strictSame(await allOf(console), [['en', 'Six wells', '2026-05-01 08:00:00']])
  })
})

/** Runs in the page. */
const hasFocus = (element: unknown): boolean =>
  (element as { readonly matches: (selector: string) => boolean }).matches(':focus')

t.test(
  'M4, M8: by keyboard alone, on a phone in French and dark, a large push goes out after a proof of presence',
  async (t) => {
    const expected = [REFUSED, /^console: .*\b403\b/]
    await scenario(t, { ...PHONE, language: 'fr', expected }, async (page, { fixture, newToken }) => {
      const devices = Array.from({ length: 1000 }, (_, n) => sampleDevice(n))
      for (let from = 0; from < 1000; from += 250)
        await Promise.all(
          devices.slice(from, from + 250).map((device) => done(fixture.ports.devices.attach(device))),
        )
      const { keyboard } = page
      const tabTo = async (target: ReturnType<typeof page.getByRole>) => {
        await target.waitFor()
        for (let left = 100; left > 0 && !(await target.evaluate(hasFocus)); left -= 1)
          await keyboard.press('Tab')
        t.ok(await target.evaluate(hasFocus), `the Tab key leads to ${target}`)
      }
      const follow = async (role: 'link' | 'button', name: string) => {
        await tabTo(page.getByRole(role, { name, exact: true }))
        await keyboard.press('Enter')
      }
      await page.goto('/console/notifications')
      await follow('link', 'Nouvelle notification')
      await follow('link', 'En écrire une sans publication')
      await tabTo(page.getByRole('textbox', { name: 'Titre', exact: true }))
      await keyboard.type('Six puits')
      await tabTo(page.getByRole('radio', { name: 'À une heure choisie' }))
      await keyboard.press('ArrowRight')
      await page.getByText('1 000 appareils').waitFor()
      await looksRight(t, page, 'composer')
      fixture.clock.advance(5 * 60_000)
      const sendAll = async () => {
        await follow('button', 'Envoyer maintenant…')
        await page.getByRole('dialog', { name: 'L’envoyer maintenant à 1 000 appareils ?' }).waitFor()
        await looksRight(t, page, 'last question')
        await page.locator('.act:not([aria-disabled])').waitFor()
        await follow('button', 'Envoyer à 1 000 appareils')
        await page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' }).waitFor()
      }
      await sendAll()
      await keyboard.press('Escape')
      await page.getByRole('alert').getByText('Reconnectez-vous d’abord pour faire ceci.').waitFor()
      t.strictSame(await listed(fixture), [], 'nothing is sent without the proof')
      await sendAll()
      await tabTo(page.getByRole('textbox', { name: 'Votre nouveau lien de connexion' }))
      await keyboard.type(`https://x/console/enter#${await newToken()}`)
      await keyboard.press('Enter')
      await page.getByRole('link', { name: 'Six puits' }).waitFor()
      const sent = await listed(fixture)
      t.match(sent, [{ lang: 'en', title: 'Six puits' }], 'the same act is done, once')
      t.equal(sent.length, 1)
    })
  },
)
