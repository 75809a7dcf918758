import { makeLoadLabels } from '@almoner/domain/content'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { type Fixture, LABELS } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import {
  deliveryOf,
  listed,
  notificationIn,
  notify,
  post,
  review,
  seconds,
} from '../support/notifications.ts'
import { attach, preferencePath } from '../support/people.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// Topics of notifications (G12) and of people (F6).

const LATER = seconds('2030-01-01T00:00:00Z')

const change = (fixture: Fixture, id: string, json: object) =>
  fixture.call('POST', `/notification/${id}`, { as: 'manager', json })

const topicOf = async (fixture: Fixture, id: string): Promise<unknown> => {
  const [found] = await listed(fixture, `/notification/${id}`, { include: 'topic' })
  return (found as unknown as { labelId?: unknown } | undefined)?.labelId
}

const follow = async (fixture: Fixture, email: string, topics: ReadonlyArray<string>) => {
  await attach(fixture, email, `fcm:${email}`)
  await fixture.call('PUT', preferencePath(email), { as: 'userManager', json: { topics } })
}

onEachStore(t, 'G12: a notification has a label, which only include=topic shows', async (t, fixture) => {
  const made = await notify(fixture, { date: LATER, labelId: 'water' })
  t.notOk('labelId' in made, 'G1: exactly the fields of the interface')
  t.equal(await topicOf(fixture, made.id), 'water')
  const plain = await notify(fixture, { date: LATER, labelId: '' })
  t.equal(await topicOf(fixture, plain.id), '', 'without a label')
  t.strictSame(await listed(fixture, `/notification/${made.id}`), [made])
  const all = await listed(fixture, '/notification', { include: 'topic,counterpart' })
  t.match(
    all.find(({ id }) => id === made.id),
    { labelId: 'water', counterpart: null },
  )
  const bad = await fixture.call('GET', '/notification?include=topic,labels', { as: 'manager' })
  t.strictSame(fieldsOf(await seeProblem(t, bad, 'invalid_request')), ['include'])
  const byPath = await fixture.call('GET', `/notification/${made.id}?include=topics`, { as: 'manager' })
  t.strictSame(fieldsOf(await seeProblem(t, byPath, 'invalid_request')), ['include'])
})

onEachStore(t, 'G12, G13: an unknown label is 404, a change sets and clears it', async (t, fixture) => {
  await seeProblem(t, await post(fixture, { date: LATER, labelId: 'unknown' }), 'not_found')
  t.strictSame(await listed(fixture, '/notification'), [])
  const { id } = await notify(fixture, { date: LATER })
  t.equal((await notificationIn(await change(fixture, id, { labelId: 'health' }))).id, id)
  t.equal(await topicOf(fixture, id), 'health')
  await seeProblem(t, await change(fixture, id, { labelId: 'unknown', title: 'New' }), 'not_found')
  t.not((await listed(fixture, `/notification/${id}`))[0]?.title, 'New')
  await change(fixture, id, { labelId: null })
  t.equal(await topicOf(fixture, id), 'health', 'B2: null is absent')
  await change(fixture, id, { labelId: '' })
  t.equal(await topicOf(fixture, id), '')
})

onEachStore(t, 'G12: it reaches the followers of its label and of everything', async (t, fixture) => {
  await follow(fixture, 'water@example.org', ['water'])
  await follow(fixture, 'both@example.org', ['health', 'water'])
  await follow(fixture, 'health@example.org', ['health'])
  await follow(fixture, 'all@example.org', [])
  const about = await notify(fixture, { date: seconds('2020-01-01T00:00:00Z'), labelId: 'water' })
  const plain = await notify(fixture, { date: seconds('2020-01-01T00:00:00Z') })
  await review(fixture)
  t.match(await deliveryOf(fixture, about.id), { recipients: 3 })
  t.match(await deliveryOf(fixture, plain.id), { recipients: 4 })
})

onEachStore(t, 'G12, E1: a load names the label of a notification until it is sent', async (t, fixture) => {
  const load = makeLoadLabels(fixture.ports)
  const undated = await notify(fixture, { labelId: 'water' })
  const due = await notify(fixture, { date: seconds('2020-01-01T00:00:00Z'), labelId: 'health' })
  const refused = (...labelIds: ReadonlyArray<string>) => E.left({ _tag: 'LabelsInUse', labelIds })
  t.strictSame(await load([])(), refused('water', 'health'))
  await review(fixture)
  t.strictSame(await load([])(), refused('water'), 'scheduled or not')
  await fixture.call('DELETE', `/notification/${undated.id}`, { as: 'manager' })
  await done(load([]))
  t.equal(await topicOf(fixture, due.id), 'health', 'it keeps the label as it was')
  await done(load(LABELS))
})
