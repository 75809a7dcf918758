// How long a page of an inbox takes, compared with one of GET /notification: each page is another person's (F7). The response cache is off, since it
// would serve the second from memory.
// Usage: node tools/stress/inbox.ts [--database postgres] [--people 1000000] [--notifications 1000] [--rounds 1000]
import type { Label } from '@almoner/domain/content'
import type { Email, Instant, LabelId, Language } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { done, sampleNotification } from '../../packages/testkit/src/contracts/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { migrate, newDatabase } from './database.ts'
import { addManager, ask, authorize, startServer } from './server.ts'

const given = options({ database: 'sqlite', people: 1_000_000, notifications: 1000, rounds: 1000 })

/** The greatest ratio of both times. */
const MOST = 1.5

const database = await newDatabase(given.database, folder)
const engine = await database.open()
await migrate(engine)
const { deliveries, labels, notifications } = makeStore(engine)
const label = (id: string): Label => ({
  labelId: id as LabelId,
  en: id as Label['en'],
  fr: id as Label['fr'],
})
await done(labels.replaceAll([label('water'), label('rare')]))

const emailOf = (n: number) => `reader-${n}@example.org` as Email
const languageOf = (n: number): Language => (n % 3 === 0 ? 'fr' : 'en')
/** One person in five follows a label, one in a hundred one that few notifications have. */
const topicsOf = (n: number): string => {
  if (n % 100 === 7) return '["rare"]'
  return n % 5 === 0 ? '["water"]' : '[]'
}

/** Rows of a statement and of a transaction. */
const [STATEMENT, TRANSACTION] = [1000, 50_000]

for (let begin = 0; begin < given.people; begin += TRANSACTION) {
  progress(`${begin} people`)
  await done(
    engine.write(async (db) => {
      const end = Math.min(given.people, begin + TRANSACTION)
      for (let at = begin; at < end; at += STATEMENT) {
        const people = Array.from({ length: Math.min(STATEMENT, end - at) }, (_, n) => at + n)
        const rows = people.map((n) => ({
          ...{ email: emailOf(n), lang: languageOf(n), subscribed: 1 as const, topics: topicsOf(n) },
          // Every tenth has read the other language in the first half of all epochs.
          epoch: n % 10 === 1 ? given.notifications / 2 : 1,
        }))
        await db.insertInto('person').values(rows).execute()
        const changed = people
          .filter((n) => n % 10 === 1)
          .map((n) => ({
            ...{ email: emailOf(n), lang: languageOf(n + 1), topics: '[]' },
            ...{ since_epoch: 1, until_epoch: given.notifications / 2 },
          }))
        if (changed.length > 0) await db.insertInto('former_preference').values(changed).execute()
      }
      return E.right(undefined)
    }),
  )
}

/** Every fifth notification has a topic, one in fifty the rare one. */
const topicFor = (n: number): O.Option<LabelId> => {
  if (n % 50 === 3) return O.some('rare' as LabelId)
  return n % 5 === 0 ? O.some('water' as LabelId) : O.none
}
const now = Date.now()
for (let n = 0; n < given.notifications; n += 1) {
  if (n % 100 === 0) progress(`${n} notifications`)
  const at = (now - (given.notifications - n) * 60_000) as Instant
  const over = { lang: languageOf(n), date: O.some(at), labelId: topicFor(n) }
  await done(notifications.add(sampleNotification(n, over)))
  await done(deliveries.start(at, 86_400_000))
}
/** People whose inboxes are read, with a mark for every fourth notification. */
const READERS = Math.min(2000, given.people)
for (let n = 0; n < READERS; n += 100)
  await done(
    engine.write(async (db) => {
      const { rows } = { rows: await db.selectFrom('delivery').select('id').execute() }
      for (let reader = n; reader < n + 100; reader += 1) {
        const marks = rows
          .filter((_, at) => at % 4 === 0)
          .map(({ id }) => ({ delivery_id: id, email: emailOf(reader), seen_at: now as Instant }))
        await db.insertInto('seen_mark').values(marks).execute()
      }
      return E.right(undefined)
    }),
  )
await engine.close()

const settings = { ...database.settings, ALMONER_CACHE: '0', ALMONER_REVIEW: 'off', ALMONER_CONSOLE: 'off' }
const form = addManager(folder, settings, '--role', 'user-manager')
const server = await startServer(folder, settings)
const headers = await authorize(server.url, form)

/** Returns the milliseconds that a page takes. */
const time = async (path: string): Promise<number> => {
  const begun = performance.now()
  const { status } = await ask(`${server.url}${path}`, headers)
  check(status === 200, `${path}: ${status}`)
  return performance.now() - begun
}

/** Returns the query that leads to a page of this rank by `Link`. */
const linked = async (path: string, pages: number): Promise<string> => {
  let next = `${path}?lim=20`
  for (let page = 0; page < pages; page += 1) {
    const { headers: received } = await ask(`${server.url}${next}`, headers)
    const link = /^<https?:\/\/[^/]+(.*)>; rel="next"$/.exec(received.get('link') ?? '')
    next = link?.[1] ?? next
  }
  return next.slice(next.indexOf('?'))
}

const inboxOf = (n: number) => `/user/${emailOf(n)}/notification/inbox`
const PAGES = Math.floor(given.notifications / 60)
const [deepList, deepInbox] = [await linked('/notification', PAGES), await linked(inboxOf(1), PAGES)]

let read = 0
/** Another reader each time, among those for whom a condition holds. */
const reader = (holds: (n: number) => boolean): number => {
  do read = (read + 7) % READERS
  while (!holds(read))
  return read
}
const isPlain = (n: number) => topicsOf(n) === '[]' && n % 10 !== 1
const KINDS: Readonly<Record<string, (n: number) => string>> = {
  list: () => '/notification?lim=20',
  listDeep: () => `/notification${deepList}`,
  first: () => `${inboxOf(reader(isPlain))}?lim=20`,
  deep: () => `${inboxOf(reader((n) => isPlain(n) && languageOf(n) === languageOf(1)))}${deepInbox}`,
  changed: () => `${inboxOf(reader((n) => n % 10 === 1))}?lim=20`,
  rareTopic: () => `${inboxOf(reader((n) => n % 100 === 7))}?lim=20`,
  counted: () => `${inboxOf(reader(isPlain))}?lim=20&count=true`,
}
const times = new Map(Object.keys(KINDS).map((kind) => [kind, [] as Array<number>]))
/** Rounds before any is measured. */
const WARMING = 200

// One of each kind in turn, so that all of them meet the same load of the machine.
for (let round = 0; round < given.rounds + WARMING; round += 1) {
  if (round % 100 === 0) progress(`round ${round}`)
  for (const [kind, pathOf] of Object.entries(KINDS)) {
    const taken = await time(pathOf(round))
    if (round >= WARMING) times.get(kind)?.push(taken)
  }
}
const median = (kind: string): number => {
  const all = [...(times.get(kind) ?? [])].sort((a, b) => a - b)
  return all[all.length >> 1] ?? 0
}
const round = (value: number) => Math.round(100 * value) / 100
const ratio = (kind: string, to: string) => round(median(kind) / median(to))
const ratios = {
  ...{ first: ratio('first', 'list'), deep: ratio('deep', 'listDeep'), changed: ratio('changed', 'list') },
  ...{ rareTopic: ratio('rareTopic', 'list'), counted: ratio('counted', 'list') },
}
for (const [kind, taken] of Object.entries(ratios).filter(([kind]) => kind !== 'counted'))
  check(taken <= MOST, `a page of an inbox (${kind}) takes ${taken} times as long`)
await server.stop()
await database.stop()
report({
  milliseconds: Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, round(median(kind))])),
  ratios,
})
