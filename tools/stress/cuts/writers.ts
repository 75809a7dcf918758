import { setTimeout as pause } from 'node:timers/promises'
import type { Asking } from './asking.ts'

/** What may be there of a post: its last acknowledged version, or one that was sent since and not acknowledged. */
interface Expected {
  version: string
  maybe: Array<string>
}

/** What clients know of what they have written. */
export interface Known {
  /** Posts whose creation was acknowledged, by id. */
  readonly posts: Map<string, Expected>
  /** First versions of posts whose creation was not acknowledged. */
  readonly maybePosts: Set<string>
  /** Titles of notifications, by whether they were acknowledged. */
  readonly notifications: Map<string, boolean>
}

/** A post, all of whose texts are those of one version. */
const post = (version: string) => ({
  itemType: 'link',
  itemTitle: version,
  itemDescription: version,
  link: `https://example.org/${version}`,
})

interface Shown {
  readonly item: {
    readonly itemId: string
    readonly itemTitle: string
    readonly itemDescription: string
    readonly link: string
  }
}

interface Whole {
  readonly items: ReadonlyArray<Shown>
}

/** Edits of each post. */
const EDITS = 3

/** Milliseconds between two writes of a client, and between two notifications. */
const BETWEEN = { writes: 50, notifications: 3000 }

const pick = (urls: ReadonlyArray<string>): string => urls[Math.floor(Math.random() * urls.length)] ?? ''

/** Clients that write until they are told to end. */
export const makeWriters = ({ ask }: Asking, urls: ReadonlyArray<string>, isOver: () => boolean) => {
  const known: Known = { posts: new Map(), maybePosts: new Set(), notifications: new Map() }

  const edit = async (id: string, expected: Expected, version: string): Promise<void> => {
    const { isDone } = await ask('edits', `${pick(urls)}/feed/${id}`, { ...post(version), status: 'Draft' })
    if (isDone) {
      expected.version = version
      expected.maybe = []
    } else expected.maybe.push(version)
  }

  const write = async (name: string): Promise<void> => {
    for (let n = 0; !isOver(); n += 1) {
      const version = `${name}-${n}-0`
      const { isDone, body } = await ask('posts', `${pick(urls)}/feed/`, post(version))
      if (isDone) {
        const { itemId } = (body as Shown).item
        const expected: Expected = { version, maybe: [] }
        known.posts.set(itemId, expected)
        for (let at = 1; at <= EDITS; at += 1) {
          await pause(Math.random() * BETWEEN.writes)
          await edit(itemId, expected, `${name}-${n}-${at}`)
        }
      } else known.maybePosts.add(version)
    }
  }

  const read = async (): Promise<void> => {
    while (!isOver()) {
      await ask('pages', `${pick(urls)}/feed/?lim=20`)
      await pause(Math.random() * BETWEEN.writes)
    }
  }

  const notify = async (): Promise<void> => {
    for (let n = 0; !isOver(); n += 1) {
      const title = `Told ${n}`
      const date = Math.floor(Date.now() / 1000)
      const body = { lang: n % 2 === 0 ? 'en' : 'fr', title, date, resource_type: 'Library' }
      const { isDone } = await ask('notifications', `${pick(urls)}/notification`, body)
      known.notifications.set(title, isDone)
      await pause(BETWEEN.notifications)
    }
  }

  return {
    known,
    /** Starts so many writers and readers, and one who notifies; resolves when all have ended. */
    run: async (count: number): Promise<void> => {
      const clients = Array.from({ length: count }, (_, n) => [write(`w${n}`), read()])
      await Promise.all([...clients.flat(), notify()])
    },
  }
}

const isTorn = ({ item }: Shown): boolean =>
  item.itemTitle !== item.itemDescription || item.link !== `https://example.org/${item.itemTitle}`

/** What is not there as clients know it, or not whole. `whole` is the answer to a question for the whole feed. */
export const faultsOfPosts = ({ posts, maybePosts }: Known, whole: unknown): ReadonlyArray<string> => {
  const { items } = whole as Whole
  const faults: Array<string> = []
  const there = new Map(items.map((shown) => [shown.item.itemId, shown.item.itemTitle]))
  for (const shown of items) if (isTorn(shown)) faults.push(`torn: ${JSON.stringify(shown)}`)
  for (const [id, { version, maybe }] of posts) {
    const found = there.get(id)
    if (found === undefined || ![version, ...maybe].includes(found))
      faults.push(`${id} is ${found} instead of ${[version, ...maybe].join(' or ')}`)
  }
  const others = items.filter(({ item }) => !posts.has(item.itemId)).map(({ item }) => item.itemTitle)
  for (const title of others) if (!maybePosts.has(title)) faults.push(`${title} was never created`)
  if (new Set(others).size < others.length) faults.push('a post was created twice')
  return faults
}

/** Of titles of notifications that are there: what is missing, strange, or there twice. */
export const faultsOfNotifications = (
  { notifications }: Known,
  titles: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  for (const [title, isAcknowledged] of notifications) {
    const count = titles.filter((one) => one === title).length
    if (count > 1 || (isAcknowledged && count === 0)) faults.push(`${title} is there ${count} times`)
  }
  return faults
}
