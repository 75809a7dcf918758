import { compareCursors, encodeCursor } from '@almoner/domain/content'
import {
  type InboxCursor as Cursor,
  InboxCursor,
  meantFor,
  type PreferenceHistory,
  withPreferenceFrom,
} from '@almoner/domain/delivery'
import { type Audience, isInAudience, newUser, type User } from '@almoner/domain/people'
import { collect, type Instant, type LabelId, type Language } from '@almoner/domain/values'
import { done, failure } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { badFields, read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  AMINA,
  amina,
  callerWith,
  donor,
  type Fixture,
  libraryDraft,
  libraryLive,
  manager,
  newFixture,
  user,
  userManager,
} from './fixtures/fixture.ts'

// F7: the inbox of a person.

const TOPICS = ['a', 'b', 'c'].map((id) => id as LabelId)
const language = fc.constantFrom<Language>('en', 'fr')
const preference = fc.record({ lang: language, topics: fc.subarray([...TOPICS]) })
const audience = fc.record({
  lang: language,
  labelId: fc.option(fc.constantFrom(...TOPICS)).map(O.fromNullable),
})

/** What happens to a person: another preference, or the start of a notification. */
type Event =
  | { readonly kind: 'prefer'; readonly preference: Pick<User, 'lang' | 'topics'> }
  | { readonly kind: 'start'; readonly audience: Audience }

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('prefer' as const), preference }),
  fc.record({ kind: fc.constant('start' as const), audience }),
)

/** Plays events, each start of which ends an epoch. Whom a notification is for is asked at its start. */
const play = (events: ReadonlyArray<Event>) => {
  let epoch = 1
  let history: PreferenceHistory = []
  let known: User | undefined
  const started: Array<{ readonly audience: Audience & { epoch: number }; readonly isMeant: boolean }> = []
  for (const one of events)
    if (one.kind === 'prefer') {
      known = { ...newUser(AMINA), ...one.preference }
      history = withPreferenceFrom(history, one.preference, epoch)
    } else {
      const isMeant = known !== undefined && isInAudience(known, one.audience)
      started.push({ audience: { ...one.audience, epoch }, isMeant })
      epoch += 1
    }
  return { history, started }
}

t.test('F7: a notification is meant for its audience at its start, also after later changes', async (t) => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const { history, started } = play(events)
      for (const { audience, isMeant } of started) t.equal(meantFor(history, audience), isMeant)
    }),
  )
})

t.test(
  'F7: a history is one stretch after the other, each with a start and unlike the one before',
  async (t) => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const { history, started } = play(events)
        for (const [at, { since, until }] of history.entries()) {
          t.strictSame(until, O.fromNullable(history[at + 1]?.since))
          if (O.isNone(until)) continue
          t.ok(since < until.value)
          t.ok(started.some(({ audience: { epoch } }) => since <= epoch && epoch < until.value))
        }
        t.ok(history.length <= started.length + 1, 'no more than one for each start')
      }),
    )
  },
)

t.test('F7: without topics everything, without a label everybody', async (t) => {
  fc.assert(
    fc.property(preference, audience, ({ lang, topics }, asked) => {
      const history = withPreferenceFrom([], { lang, topics }, 5)
      const isMeant = (epoch: number) => meantFor(history, { ...asked, epoch })
      t.equal(isMeant(4), false, 'not known yet')
      const isFollowed =
        topics.length === 0 || O.isNone(asked.labelId) || topics.includes(asked.labelId.value)
      t.equal(isMeant(5), lang === asked.lang && isFollowed)
      t.equal(isMeant(9), isMeant(5))
    }),
  )
})

t.test('F7, C11: a cursor is read as it was written', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.uuid(), (key, id) => {
      const cursor: Cursor = { key: key as Instant, id }
      const back = InboxCursor.decode(encodeCursor(cursor))
      if (Math.abs(key) < 1e15) t.strictSame(back, E.right(cursor))
    }),
  )
  for (const text of ['', '~x', '1~', 'x~y', '1.5~x']) t.ok(E.isLeft(InboxCursor.decode(text)), text)
  t.equal(compareCursors({ key: 2, id: 'a' }, { key: 1, id: 'b' }) < 0, true)
})

const DAY = 86_400_000

/** The client of an app for readers, which is bound to Amina. */
const reader = callerWith(['user'], [], AMINA)

const start = async (fixture: Fixture, raw: domain.RawParameters = {}) => {
  const { notification } = await done(
    fixture.act.createNotification(
      manager,
      read(domain.CreateNotification, {
        lang: 'en',
        title: 'Wells',
        resource_type: 'Library',
        date: '1',
        ...raw,
      }),
    ),
  )
  await done(fixture.ports.deliveries.start(fixture.clock.now(), 1000))
  return notification.id
}

const inboxOf = async ({ act }: Fixture, caller = reader, raw: domain.RawParameters = {}) =>
  collect(await done(act.listInbox(caller, read(domain.ListInbox, { email: 'none', ...raw }))))

const seen = ({ act }: Fixture, id: domain.NotificationId, caller = reader, email = 'none') =>
  act.markSeen(caller, read(domain.MarkSeen, { email, id }))

t.test('F7, F3: scope user, for the user of the token or, for a user-manager, of the path', async (t) => {
  const fixture = newFixture()
  await done(fixture.ports.users.prefer(AMINA, {}))
  const id = await start(fixture)
  for (const caller of [reader, amina]) t.equal((await inboxOf(fixture, caller))[0]?.notification.id, id)
  t.equal((await inboxOf(fixture, userManager, { email: AMINA.toUpperCase() })).length, 1)
  t.strictSame(await inboxOf(fixture, userManager, { email: 'unknown@example.org' }), [])
  for (const caller of [user, donor, manager]) {
    t.equal(
      await failure(fixture.act.listInbox(caller, read(domain.ListInbox, { email: AMINA }))),
      'NoActingUser',
    )
    t.equal(await failure(seen(fixture, id, caller, AMINA)), 'NoActingUser')
  }
  t.equal(await failure(seen(fixture, id, callerWith([], [], AMINA))), 'InsufficientScope')
  t.equal(await failure(seen(fixture, id, userManager, 'malformed')), 'ValidationFailed')
  t.match(await done(seen(fixture, id, userManager, AMINA)), { notificationId: id })
  t.equal(await failure(seen(fixture, id, userManager, 'unknown@example.org')), 'NotificationNotFound')
})

t.test('F7: at most as many days back as the policy says', async (t) => {
  const fixture = newFixture({ deliveryDays: 7 })
  await done(fixture.ports.users.prefer(AMINA, {}))
  const old = await start(fixture)
  fixture.clock.advance(6 * DAY)
  const id = await start(fixture)
  t.strictSame(
    (await inboxOf(fixture)).map(({ notification }) => notification.id),
    [id, old],
  )
  fixture.clock.advance(DAY)
  t.equal((await inboxOf(fixture)).length, 1)
  t.equal(await failure(seen(fixture, old)), 'NotificationNotFound')
  t.strictSame(await done(seen(fixture, id)), { notificationId: id, seenAt: fixture.clock.now() })
})

t.test('F7, A3, G1: links lead only to what the caller may see', async (t) => {
  const fixture = newFixture()
  await done(fixture.ports.users.prefer(AMINA, {}))
  const open = await libraryLive(fixture)
  const closed = await libraryLive(fixture, { isDonorRestricted: 'true' })
  const draft = await libraryDraft(fixture)
  for (const { id } of [open, closed, draft]) await start(fixture, { resource_id: id })
  const linked = async (caller: domain.Caller) =>
    (await inboxOf(fixture, caller)).map(({ links }) => O.isSome(links.actionUrl)).reverse()
  t.strictSame(await linked(reader), [true, false, false])
  t.strictSame(await linked(amina), [true, true, false])
  t.strictSame(await linked(callerWith(['content-manager'], [], AMINA)), [true, true, false])
})

t.test('F7, G7: the report counts marks where include asks for it', async (t) => {
  const fixture = newFixture()
  await done(fixture.ports.users.prefer(AMINA, {}))
  const id = await start(fixture)
  const report = (include?: string) =>
    done(
      fixture.act.reportDelivery(manager, read(domain.ReportDelivery, { id, ...(include && { include }) })),
    )
  t.equal((await report('seen')).seen, 0)
  await done(seen(fixture, id))
  t.match(await report('seen,shortened'), { seen: 1, shortened: '' })
  t.notOk('seen' in (await report()))
  t.strictSame(badFields(domain.ReportDelivery, { id, include: 'seen,marks' }), ['include'])
})
