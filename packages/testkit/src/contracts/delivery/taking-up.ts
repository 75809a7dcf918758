import type { Label } from '@almoner/domain/content'
import { NO_OUTCOMES, type Shortened } from '@almoner/domain/notifications'
import type { DeviceToken } from '@almoner/domain/people'
import { addMillis, type Email } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { sampleLabel, sampleUser } from '../people/topics.ts'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleMoment,
  sampleNotification,
} from '../samples.ts'
import { emails, emailsOf, ended, type Given, LIFE, sending } from './fixture.ts'

/** Starting due notifications, and fixing their recipients. */
export const takingUp = (given: Given): void => {
  given(
    'G2, G4: notifications with a past or present due date are started, others are not',
    async (check, setup) => {
      await setup.readers(0, 2)
      const now = await setup.notification(1)
      const past = await setup.notification(2, { date: O.some(sampleMoment(-86_400 * 400)) })
      const future = await setup.notification(3, { date: O.some(addMillis(SAMPLE_MOMENT, 1)) })
      const undated = await setup.notification(4, { date: O.none })
      const deleted = await setup.notification(5)
      await done(setup.notifications.remove(deleted))
      check.same([...(await setup.start())].sort(), [now, past])
      for (const id of [future, undated]) {
        const found = await done(setup.notifications.find(id))
        check.same(O.isSome(found) && found.value.progress, O.none)
      }
      check.same(await setup.start(sampleMoment(3600)), [future], 'it is due now')
      check.same(await setup.start(sampleMoment(86_400 * 365 * 100)), [], 'undated ones are never due')
    },
  )

  given('G4: of concurrent reviews, one starts a notification', async (check, setup) => {
    await setup.readers(0, 3)
    const ids = [await setup.notification(1), await setup.notification(2), await setup.notification(3)]
    const taken = await Promise.all(Array.from({ length: 6 }, () => setup.start()))
    check.same(taken.flat().sort(), ids)
    check.same(await setup.start(), [])
    for (const id of ids) check.same((await setup.progress(id)).recipients, 3)
  })

  given('G12, G4: changes of topics after the start change no recipients', async (check, setup) => {
    const [water, health] = [sampleLabel('water'), sampleLabel('health')]
    await done(setup.labels.replaceAll([water, health]))
    await setup.readers(0, 7)
    const follow = (n: number, ...labels: ReadonlyArray<Label>) =>
      done(setup.users.prefer(sampleEmail(n), { topics: labels.map(({ labelId }) => labelId) }))
    await follow(1, water)
    await follow(2, health)
    await follow(3, water, health)
    await follow(4, health)
    await follow(5, water)
    const id = await setup.notification(1, { labelId: O.some(water.labelId) })
    await setup.start()
    // Readers 0, 1, 3, 5 and 6 are recipients.
    check.same((await setup.progress(id)).recipients, 5)
    await follow(0, health)
    await follow(1, health)
    await follow(2, water)
    await follow(4)
    const { topics: _, ...three } = sampleUser(3, { lang: 'en', subscribed: true })
    await done(setup.users.putAll([{ ...three, topics: [] }]))
    check.same(await done(setup.labels.replaceAll([health])), { people: 2, everything: 2 })
    await done(setup.devices.attach(sampleDevice(20, { email: sampleEmail(2) })))
    await done(setup.devices.detach(sampleEmail(6), sampleDevice(6)))
    const owners: Array<Email> = []
    for (;;) {
      const batch = await setup.claim({ most: 2 })
      if (O.isNone(batch)) break
      owners.push(...batch.value.recipients.map(({ email }) => email))
      await setup.recordAll(batch.value, ended('delivered'))
    }
    check.same(owners.sort(), [0, 1, 3, 5, 6].map(sampleEmail).sort())
  })

  given('the recipients are the devices of subscribed readers of the language', async (check, setup) => {
    await setup.readers(0, 3)
    await setup.readers(3, 5, 'fr')
    await done(setup.devices.attach(sampleDevice(10, { email: sampleEmail(1), kind: 'unroutable' })))
    await done(setup.users.prefer(sampleEmail(2), { subscribed: false }))
    await done(setup.users.prefer(sampleEmail(9), {}))
    const [english, french] = [await setup.notification(1), await setup.notification(2, { lang: 'fr' })]
    await setup.start()
    check.same(await setup.progress(english), {
      recipients: 3,
      tally: NO_OUTCOMES,
      startedAt: SAMPLE_MOMENT,
      finishedAt: O.none,
      shortened: '',
    })
    const batches = [await setup.claimed(), await setup.claimed()]
    const of = (id: string) => batches.find(({ claim }) => claim.notificationId === id)
    check.same(
      of(english)?.recipients.map(({ email }) => email),
      [sampleEmail(0), sampleEmail(1), sampleEmail(1)],
    )
    check.same(
      of(french)?.recipients.map(({ email }) => email),
      emails(3, 5),
    )
    check.same(await setup.claim(), O.none)
  })

  given('G7: a notification without recipients is finished at once', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1, { lang: 'fr' })
    await setup.start(sampleMoment(30))
    check.same(await setup.progress(id), {
      recipients: 0,
      tally: NO_OUTCOMES,
      startedAt: sampleMoment(30),
      finishedAt: O.some(sampleMoment(30)),
      shortened: '',
    })
    check.same(await setup.claim(), O.none)
    check.same(await done(setup.deliveries.backlog()), { sending: 0, claimed: 0, nextRetry: O.none })
  })

  given('G4: recipients are fixed at the start; later changes have no effect', async (check, setup) => {
    // Readers 0 to 9 are recipients; 10 reads French, 11 is not subscribed, 12 does not exist yet.
    await setup.readers(0, 10)
    await setup.readers(10, 11, 'fr')
    await setup.readers(11, 12)
    await done(setup.users.prefer(sampleEmail(11), { subscribed: false }))
    const id = await setup.notification(1)
    await setup.start()
    await done(setup.users.prefer(sampleEmail(1), { lang: 'fr' }))
    await done(setup.users.prefer(sampleEmail(2), { subscribed: false }))
    await done(setup.devices.detach(sampleEmail(3), sampleDevice(3)))
    await done(setup.devices.attach(sampleDevice(4, { email: sampleEmail(0), attachedAt: sampleMoment(1) })))
    await done(setup.devices.attach(sampleDevice(5, { attachedAt: sampleMoment(1) })))
    await done(setup.devices.detach(sampleEmail(6), sampleDevice(6)))
    await done(setup.devices.attach(sampleDevice(6, { attachedAt: sampleMoment(1) })))
    await done(setup.users.prefer(sampleEmail(7), { lang: 'fr', subscribed: false }))
    await done(setup.users.prefer(sampleEmail(7), { lang: 'en', subscribed: true }))
    await done(
      setup.users.putAll([
        { email: sampleEmail(8), lang: 'fr', subscribed: true },
        { email: sampleEmail(9), lang: 'en', subscribed: false },
      ]),
    )
    await done(setup.users.prefer(sampleEmail(10), { lang: 'en' }))
    await done(setup.users.prefer(sampleEmail(11), { subscribed: true }))
    await setup.readers(12, 13)
    await done(setup.devices.attach(sampleDevice(20, { email: sampleEmail(0) })))

    const batch = await setup.claimed()
    check.same(emailsOf(batch), emails(0, 10), 'only the fixed recipients are claimed')
    check.same(await setup.claim(), O.none)
    check.same((await setup.progress(id)).recipients, 10)
    // Not eligible: 2 and 9 unsubscribed, 3 detached, 4 moved, 6 attached again. Language no longer matters.
    check.same(
      await setup.reachable(batch.claim, batch.recipients),
      [0, 1, 5, 7, 8].map((n) => sampleEmail(n)),
    )
  })

  given('G4: changes before the start have an effect', async (check, setup) => {
    await setup.readers(0, 6)
    await setup.notification(1)
    await done(setup.users.prefer(sampleEmail(1), { lang: 'fr' }))
    await done(setup.users.prefer(sampleEmail(2), { subscribed: false }))
    await done(setup.devices.detach(sampleEmail(3), sampleDevice(3)))
    await done(setup.devices.attach(sampleDevice(4, { email: sampleEmail(5), attachedAt: sampleMoment(1) })))
    await setup.start()
    const batch = await setup.claimed()
    check.same([...emailsOf(batch)].sort(), [0, 5, 5].map(sampleEmail))
    check.same((await setup.reachable(batch.claim, batch.recipients)).length, 3)
  })

  given(
    'G4: a moved device is a recipient of its new user for notifications that start later',
    async (check, setup) => {
      await setup.readers(0, 2)
      const early = await setup.notification(1)
      await setup.start()
      await done(
        setup.devices.attach(sampleDevice(0, { email: sampleEmail(1), attachedAt: sampleMoment(1) })),
      )
      const late = await setup.notification(2)
      await setup.start()
      const batches = [await setup.claimed(), await setup.claimed()]
      const of = (id: string) => batches.filter(({ claim }) => claim.notificationId === id).flatMap(emailsOf)
      check.same(of(early), emails(0, 2))
      check.same(of(late), [sampleEmail(1), sampleEmail(1)])
    },
  )

  given('F4: a push uses the device as it is: token, kind and time of attachment', async (check, setup) => {
    const token = `fcm:${'😀'.repeat(4092)}` as DeviceToken
    await done(setup.devices.attach(sampleDevice(1, { token })))
    await done(setup.devices.attach(sampleDevice(2)))
    await setup.notification(1)
    await setup.start()
    const renewed = sampleDevice(2, { kind: 'webpush', attachedAt: sampleMoment(5) })
    await done(setup.devices.attach(renewed))
    const { claim, recipients } = await setup.claimed()
    const { devices } = await done(setup.deliveries.checkEligibility(claim, recipients, SAMPLE_MOMENT))
    check.same(
      [...devices.values()].toSorted((one, other) => one.attachedAt - other.attachedAt),
      [
        { token, kind: 'fcm', attachedAt: SAMPLE_MOMENT },
        { token: renewed.token, kind: 'webpush', attachedAt: sampleMoment(5) },
      ],
    )
    const none = { devices: new Map(), closed: new Map() }
    check.same(await done(setup.deliveries.checkEligibility(claim, [], SAMPLE_MOMENT)), none)
  })

  given(
    'G5: a notification’s life begins with its date or its start, whichever is later',
    async (check, setup) => {
      await setup.readers(0, 1)
      await setup.notification(1, { date: O.some(sampleMoment(-86_400 * 30)) })
      await setup.start(sampleMoment(60))
      const { endsAt, notification } = await setup.claimed({ now: sampleMoment(60) })
      check.same(endsAt, addMillis(sampleMoment(60), LIFE))
      check.same(notification, sampleNotification(1, { date: O.some(sampleMoment(-86_400 * 30)) }))
    },
  )

  given('G6, G7: what was left out of a message is stored, and stays', async (check, setup) => {
    const { id, batch } = await sending(setup, 3)
    const [one, two, three] = batch.recipients.map(({ deviceId }) => [ended('delivered')(deviceId)])
    const shortenedAfter = async (results = one, shortened?: Shortened) => {
      await done(setup.record(batch.claim, results ?? [], shortened === undefined ? {} : { shortened }))
      return (await setup.progress(id)).shortened
    }
    check.same(await shortenedAfter(one), '')
    check.same(await shortenedAfter(two, 'image'), 'image')
    check.same(await shortenedAfter(three, ''), 'image')
  })
}
