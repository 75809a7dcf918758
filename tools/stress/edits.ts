// Editors on two nodes of one database read an item and write it with `If-Match`, and each appends a mark to what it has read. Looks for
// accepted edits that are lost, also while schedules of the items come due (C15).
// Usage: node tools/stress/edits.ts [--database postgres] [--interleavings 1000] [--rounds 20] [--announcements 50]
//   interleavings: two editors write at once, up to 12 ms apart, or one after the other
//   announcements: twenty moves of two notifications at once, from both sides (G14)
//   rounds: eight editors write twenty times each, without waiting for each other
import { setTimeout as pause } from 'node:timers/promises'
import { raceAnnouncement } from './announcements.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { newDatabase } from './database.ts'
import { addManager, ask, authorize, startServer } from './server.ts'

const given = options({ database: 'sqlite', interleavings: 1000, rounds: 20, announcements: 50 })
/** Interleavings on one item: the marks of all of them have to fit in a description. */
const EACH = 50
/** Of a round: editors on each node, and edits of each. */
const EDITORS = 4
const EDITS = 20
/** One edit of this number gives the item a moment that is due at once. */
const SCHEDULED = 4
/** Milliseconds between two writes, at most. */
const MS_BETWEEN_WRITES = 12
/** Milliseconds within which every node must show what was written. */
const VISIBLE = 2000

const database = await newDatabase(given.database, folder)
const manager = addManager(folder, database.settings)
const nodes = [
  (await startServer(folder, database.settings)).url,
  (await startServer(folder, database.settings)).url,
] as const
const headers = await authorize(nodes[0], manager)
const counts = { won: [0, 0], behind: 0, refusedAgain: 0, refusedInRounds: 0, scheduled: 0 }

const ITEM = { itemTitle: 'Edited by several', status: 'Draft' }
const KINDS = [
  {
    path: '/library/',
    text: 'itemDescription',
    fields: { ...ITEM, link: 'https://example.org/', itemPublicationDate: '2030-01-01' },
  },
  { path: '/feed/', text: 'itemDescription', fields: { ...ITEM, itemType: 'photo' } },
  {
    path: '/notification/',
    text: 'description',
    fields: { title: 'Edited by several', lang: 'en', resource_type: 'Library' },
  },
]

type Shown = Readonly<Record<string, string>>

interface Single {
  readonly item?: Shown
  readonly notification?: Shown
}

interface Body extends Single {
  readonly items?: ReadonlyArray<Single>
  readonly notifications?: ReadonlyArray<Single>
}

/** Returns the one item or notification of a response. */
const shownIn = (body: Body): Shown => {
  const [single = body] = body.items ?? body.notifications ?? []
  return single.item ?? single.notification ?? {}
}

/** Creates an item with an empty text, in the library, in the feed and as a notification by turns. */
const createItem = async (n: number) => {
  const { path, fields, text: field } = KINDS[n % KINDS.length] ?? { path: '', fields: {}, text: '' }
  /** Reads the item, or writes its text if it still has the ETag. The text is empty unless the status is 200. */
  const send = async (url: string, text?: string, etag?: string, more?: object) => {
    const body = text && { ...fields, [field]: text, ...more }
    const condition = etag === undefined ? {} : { 'if-match': etag }
    const answer = await ask<Body>(url, { ...headers, ...condition }, body || undefined)
    const shown = answer.status === 200 ? shownIn(answer.body) : {}
    const { status } = answer
    const id = shown['itemId'] ?? shown['id'] ?? ''
    return { status, etag: answer.headers.get('etag') ?? '', id, text: shown[field] ?? '' }
  }
  const { id } = await send(`${nodes[0]}${path}`, '.')
  return (node: string, text?: string, etag?: string, more?: object) =>
    send(`${node}${path}${id}`, text, etag, more)
}
type Item = Awaited<ReturnType<typeof createItem>>

/** Reads and writes until the edit is accepted. Returns the text and how often it was refused. */
const edit = async (item: Item, node: string, mark: string, more = {}) => {
  for (let refused = 0; ; refused += 1) {
    const { etag, text } = await item(node)
    const written = await item(node, text + mark, etag, more)
    if (written.status === 200) return { text: written.text, refused }
    if (written.status !== 412) throw new Error(`status ${written.status}`)
  }
}

/** Both editors read, then both write in some order. One must win; the other must be refused and then follow. */
const interleave = async (item: Item, n: number, before: string): Promise<string> => {
  const read = await Promise.all(nodes.map((node) => item(node)))
  if (read.some(({ text }) => text !== before)) counts.behind += 1
  const marks = [`a${n};`, `b${n};`] as const
  const write = (who: 0 | 1) => item(nodes[who], (read[who]?.text ?? '') + marks[who], read[who]?.etag)
  const [first, second] = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)
  const begun = write(first)
  if (n % 4 === 1) await begun
  if (n % 4 === 3) await pause(Math.random() * MS_BETWEEN_WRITES)
  const statuses = (await Promise.all([begun, write(second)])).map(({ status }) => status)
  check([...statuses].sort().join() === '200,412', `interleaving ${n}: both wrote, and got ${statuses}`)
  const [winner, loser] = statuses[0] === 200 ? [first, second] : [second, first]
  counts.won[winner] = (counts.won[winner] ?? 0) + 1
  const { text, refused } = await edit(item, nodes[loser], marks[loser])
  counts.refusedAgain += refused
  const expected = before + marks[winner] + marks[loser]
  check(text === expected, `interleaving ${n}: ${text} instead of ${expected}`)
  return text
}

const checkEnd = async (item: Item, text: string): Promise<void> => {
  const end = performance.now() + VISIBLE
  for (const node of nodes) {
    while ((await item(node)).text !== text && performance.now() < end) await pause(20)
    check((await item(node)).text === text, `in the end the text is not ${text}`)
  }
}

for (let n = 0; n < given.interleavings; ) {
  const item = await createItem(n / EACH)
  let text = '.'
  for (let at = 0; at < EACH && n < given.interleavings; at += 1, n += 1)
    text = await interleave(item, n, text)
  await checkEnd(item, text)
  progress(`interleaving ${n} of ${given.interleavings}`)
}

/** All editors write at the same time. */
const round = async (n: number): Promise<void> => {
  const item = await createItem(n)
  const accepted: Array<string> = []
  const work = async (node: string, name: string): Promise<void> => {
    for (let at = 0; at < EDITS; at += 1) {
      // A Draft is not archived: the moment clears the schedule, by a write that competes with the editors.
      const isScheduled = at % SCHEDULED === 0
      counts.scheduled += Number(isScheduled)
      const { text, refused } = await edit(item, node, `${name}${at};`, isScheduled ? { archiveAt: 0 } : {})
      accepted.push(text)
      counts.refusedInRounds += refused
    }
  }
  const editors = Array.from({ length: EDITORS }, (_, at) => [
    work(nodes[0], `${at}a`),
    work(nodes[1], `${at}b`),
  ])
  await Promise.all(editors.flat())
  const last = accepted.toSorted((a, b) => a.length - b.length).at(-1) ?? ''
  await checkEnd(item, last)
  for (const text of accepted) check(last.startsWith(text), `round ${n}: ${text} was accepted and lost`)
  check(last.split(';').length - 1 === 2 * EDITORS * EDITS, `round ${n}: marks are missing`)
}
for (let n = 1; n <= given.rounds; n += 1) {
  await round(n)
  progress(`round ${n} of ${given.rounds}`)
}
let moves = 0
for (let n = 1; n <= given.announcements; n += 1) {
  moves += await raceAnnouncement(nodes, headers, n)
  progress(`announcement ${n} of ${given.announcements}`)
}
report({ ...given, ...counts, moves, editsInRounds: given.rounds * 2 * EDITORS * EDITS })
