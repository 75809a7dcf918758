import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store } from '../../packages/adapters-kysely/src/index.ts'
import { collect, done } from '../../packages/domain/contracts/index.ts'
import type { LibraryPlace, LibraryQuery, Window } from '../../packages/domain/src/index.ts'

const LIM = 20
const PAGES = 800
const OFFSETS = 20_000

const NONE = { _tag: 'None' } as const

type Begin = Window<LibraryPlace>['after']

export const CALLERS = ['content-manager', 'user-donor', 'user, lang=fr'] as const

/** What each caller's list asks of the store. */
export const QUERIES: Readonly<Record<(typeof CALLERS)[number], LibraryQuery>> = {
  'content-manager': { sight: { kind: 'everything' }, lang: NONE },
  'user-donor': { sight: { kind: 'published', restricted: true, until: NONE }, lang: NONE },
  'user, lang=fr': {
    sight: { kind: 'published', restricted: false, until: NONE },
    lang: { _tag: 'Some', value: 'fr' },
  },
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** The place after which the item of this rank comes. */
const placeBefore = async ({ libraryItems }: Store, query: LibraryQuery, rank: number): Promise<Begin> =>
  (await done(libraryItems.list(query, { lim: { _tag: 'Some', value: rank }, offset: 0, after: NONE }))).next

/** Walks by keyset from a place on: reads one page, notes its milliseconds. */
const walker = ({ libraryItems }: Store, query: LibraryQuery, from: Begin) => {
  const times: Array<number> = []
  let after = from
  const step = async () => {
    const start = performance.now()
    const listing = await done(
      libraryItems.list(query, { lim: { _tag: 'Some', value: LIM }, offset: 0, after }),
    )
    const items = await collect(listing)
    times.push(performance.now() - start)
    if (items.length !== LIM) throw new Error('a page was not full')
    after = listing.next
  }
  return { times, step }
}

/** Asks for the page at one rank again and again: notes its milliseconds. */
const asker = ({ libraryItems }: Store, query: LibraryQuery, offset: number) => {
  const times: Array<number> = []
  const ask = async () => {
    const start = performance.now()
    const window = { lim: { _tag: 'Some', value: LIM }, offset, after: NONE } as const
    const items = await collect(await done(libraryItems.list(query, window)))
    times.push(performance.now() - start)
    if (items.length !== LIM) throw new Error('a page was not full')
  }
  return { times, ask }
}

/** Milliseconds of a page of 20 by its offset: median at the top and at a rank, in turns, and the first of that rank. */
export const measureOffsets = async (store: Store, query: LibraryQuery, rank: number) => {
  const first = asker(store, query, rank)
  await first.ask()
  const top = asker(store, query, 0)
  const deep = asker(store, query, rank)
  for (let page = 0; page < OFFSETS; page += 1) {
    await top.ask()
    await deep.ask()
    // Whoever writes has a turn.
    if (page % 10 === 0) await nextTurn()
  }
  return { first: median(first.times), top: median(top.times), deep: median(deep.times) }
}

/** Median milliseconds of a page of 20 at the top and behind a rank. The two take turns, so that load hits both alike. */
export const measurePages = async (store: Store, query: LibraryQuery, rank: number) => {
  const place = await placeBefore(store, query, rank)
  if (place._tag === 'None') throw new Error(`fewer than ${rank} items`)
  const top = walker(store, query, NONE)
  const deep = walker(store, query, place)
  for (let page = 0; page < PAGES; page += 1) {
    await top.step()
    await deep.step()
  }
  return { top: median(top.times), deep: median(deep.times) }
}
