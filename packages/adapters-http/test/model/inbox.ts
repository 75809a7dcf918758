import assert from 'node:assert/strict'
import { inboxPath, seenPath } from '../support/people.ts'
import { type Asker, type Lang, type Model, type ModelNotification, type Real, send } from './model.ts'
import { runNotify, runReview, seeNotification } from './notifications.ts'
import { runSetPreference, subjectFaults, subjectOf } from './people.ts'

export const EMAILS = ['amina@example.org', 'BRUNO@Example.org', 'carla@example.org']

/** How long an inbox shows a notification: `ALMONER_DELIVERY_DAYS` by default. */
const SHOWN_FOR = 90 * 86_400_000

/** F7: the notifications that were meant for a person, by start and latest first; of one start the latest made first. */
const entriesOf = ({ now, notifications }: Model, email: string): ReadonlyArray<ModelNotification> =>
  notifications
    .filter(
      ({ deleted, meantFor, startedAt }) => !deleted && meantFor.has(email) && now - startedAt < SHOWN_FOR,
    )
    .reverse()
    .sort((a, b) => b.startedAt - a.startedAt)

/** F7. An unknown person has an empty inbox. */
export const runInbox = async (m: Model, real: Real, asker: Asker, email: string) => {
  const request = { asker, method: 'GET', path: inboxPath(email) }
  const answer = await send(m, real, request, 1, subjectFaults(asker, email))
  const subject = subjectOf(asker, email)
  if (answer === undefined || subject === undefined) return
  const { notifications } = answer.body as {
    notifications: ReadonlyArray<{ notification: { id: string; seenAt: string } }>
  }
  const entries = entriesOf(m, subject)
  assert.deepEqual(
    notifications.map(({ notification: { id, seenAt } }) => [id, seenAt]),
    entries.map(({ id, seen }) => [id, seen.get(subject) ?? '']),
    'F7',
  )
  for (const [at, entry] of entries.entries()) {
    const { seenAt: _, ...shown } = notifications[at]?.notification ?? {}
    seeNotification(entry, shown)
  }
}

/** F7, G7: the first moment stays, and the report counts the marks. */
export const runMarkSeen = async (
  m: Model,
  real: Real,
  asker: Asker,
  email: string,
  one: ModelNotification | undefined,
) => {
  const subject = subjectOf(asker, email)
  const isMeant = one !== undefined && subject !== undefined && entriesOf(m, subject).includes(one)
  const faults = [...subjectFaults(asker, email), ...(isMeant ? [] : [404])]
  const path = seenPath(one?.id ?? 'unknown', email)
  const answer = await send(m, real, { asker, method: 'PUT', path }, 1, faults)
  if (answer === undefined || one === undefined || subject === undefined) return
  const seenAt = one.seen.get(subject) ?? new Date(m.now).toISOString()
  one.seen.set(subject, seenAt)
  assert.deepEqual(answer.body, { seen: { notificationId: one.id, seenAt } })
  const report = { method: 'GET', path: `/notification/${one.id}/delivery`, fields: { include: 'seen' } }
  const counted = await send(m, real, { asker: 'manager', ...report }, 3, [])
  if (counted === undefined) return
  assert.equal((counted.body as { delivery: { seen: number } }).delivery.seen, one.seen.size, 'G7')
}

/** F7, G4: starts a notification, marks the latest ones as seen by a person, who may have preferred its language before, and reads all inboxes. */
export const runStart = async (m: Model, real: Real, email: string, lang: Lang, isPreferred: boolean) => {
  m.now += 1000
  real.fixture.clock.advance(1000)
  if (isPreferred)
    await runSetPreference(m, real, 'userManager', email, { lang, subscribed: undefined, topics: undefined })
  const sent = { lang, title: 'News', resource_type: 'Library', date: -60 }
  await runNotify(m, real, 'manager', sent, undefined)
  await runReview(m, real)
  for (const one of m.notifications.slice(-2)) await runMarkSeen(m, real, 'userManager', email, one)
  for (const person of EMAILS) await runInbox(m, real, 'userManager', person)
}
