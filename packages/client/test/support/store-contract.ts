import type { CopyEntry, CopyPosition, CopyStep, SyncStore } from '../../src/index.ts'
import { itemOf, labelOf } from './changes-model.ts'

// Runs in browsers too, so it needs no test library.

/** A promise of every store, and how to check it in a fresh one. Throws an error that says what was found. */
export interface StoreTest {
  readonly name: string
  readonly check: (newStore: () => SyncStore) => Promise<void>
}

const same = (found: unknown, wanted: unknown): void => {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (one !== other) throw new Error(`found ${one}, wanted ${other}`)
}

/** The position after the n-th answer. */
export const positionAt = (n: number, more: Partial<CopyPosition> = {}): CopyPosition => ({
  cursor: `cursor ${n}`,
  pass: 1,
  isWalking: false,
  isComplete: true,
  portfolio: 0,
  labels: 0,
  ...more,
})

export const entryOf = (n: number, pass = 1, kind: 'library' | 'feed' = 'library'): CopyEntry => {
  const value = itemOf(kind, n, n, n)
  return { kind, id: value.itemId, rank: `${value.createdAt} ${value.itemId}`, pass, value }
}

/** The step from the n-th answer to the next. */
export const stepAt = (n: number, more: Partial<CopyStep> = {}): CopyStep => ({
  from: n === 0 ? undefined : `cursor ${n}`,
  to: positionAt(n + 1),
  puts: [],
  removes: [],
  sweeps: false,
  ...more,
})

/** The ids of a kind in the order of a scan. */
export const idsIn = async (store: SyncStore, kind: 'library' | 'feed' | 'label' = 'library') => {
  const ids: Array<string> = []
  await store.scan(kind, ({ id }) => ids.push(id) > 0)
  return ids
}

const removal = (n: number) => ({ kind: 'library', id: `library-${n}` }) as const

export const STORE_CONTRACT: ReadonlyArray<StoreTest> = [
  {
    name: 'N1: a new store is empty and has no position',
    check: async (newStore) => {
      const store = newStore()
      same([await store.position(), await store.get('feed', 'feed-1'), await idsIn(store)], [null, null, []])
      await store.close()
    },
  },
  {
    name: 'N1: a step puts, replaces and removes, and moves the position',
    check: async (newStore) => {
      const store = newStore()
      same(await store.apply(stepAt(0, { puts: [entryOf(1), entryOf(2), entryOf(1, 1, 'feed')] })), [])
      const changed = { ...entryOf(2), rank: '9999', value: itemOf('library', 2, 30, 7) }
      same(await store.apply(stepAt(1, { puts: [changed], removes: [removal(1), removal(9)] })), [])
      same(await store.position(), positionAt(2))
      same([await idsIn(store), await idsIn(store, 'feed')], [['library-2'], ['feed-1']])
      same(await store.get('library', 'library-2'), changed)
      same(await store.get('library', 'library-1'), undefined)
      await store.close()
    },
  },
  {
    name: 'C3: a scan goes from the highest rank down, of one kind, and stops on request',
    check: async (newStore) => {
      const store = newStore()
      const label = { kind: 'label', id: 'a', rank: '5', pass: 1, value: labelOf(1) } as const
      await store.apply(
        stepAt(0, { puts: [entryOf(3), entryOf(9), entryOf(5), entryOf(7, 1, 'feed'), label] }),
      )
      same(await idsIn(store), ['library-9', 'library-5', 'library-3'])
      same([await idsIn(store, 'feed'), await idsIn(store, 'label')], [['feed-7'], ['a']])
      const some: Array<string> = []
      await store.scan('library', ({ id }) => some.push(id) < 2)
      same(some, ['library-9', 'library-5'])
      await store.close()
    },
  },
  {
    name: 'a step that begins elsewhere has no effect: repeated, out of date, or from another tab',
    check: async (newStore) => {
      const store = newStore()
      await store.apply(stepAt(0, { puts: [entryOf(1)] }))
      for (const late of [stepAt(0), stepAt(5)])
        same(
          await store.apply({ ...late, puts: [entryOf(4)], removes: [removal(1)], sweeps: true }),
          undefined,
        )
      same([await idsIn(store), await store.position()], [['library-1'], positionAt(1)])
      await store.close()
    },
  },
  {
    name: 'N3: sweeping removes what a new pass has not brought, and names it',
    check: async (newStore) => {
      const store = newStore()
      await store.apply(stepAt(0, { puts: [entryOf(1), entryOf(2), entryOf(3, 1, 'feed')] }))
      const to = positionAt(2, { pass: 2 })
      const swept = await store.apply({
        ...stepAt(1),
        to,
        puts: [entryOf(2, 2), entryOf(5, 2)],
        sweeps: true,
      })
      same(swept?.map(({ kind, id }) => `${kind} ${id}`).sort(), ['feed feed-3', 'library library-1'])
      same([await idsIn(store), await idsIn(store, 'feed')], [['library-5', 'library-2'], []])
      await store.close()
    },
  },
  {
    name: 'of two steps at once from one position, one is done',
    check: async (newStore) => {
      const store = newStore()
      await store.apply(stepAt(0))
      const both = await Promise.all([1, 2].map((n) => store.apply(stepAt(1, { puts: [entryOf(n)] }))))
      same(both.map((swept) => swept !== undefined).sort(), [false, true])
      same((await idsIn(store)).length, 1)
      await store.close()
    },
  },
  {
    name: 'a cleared store begins again, and steps of before have no effect',
    check: async (newStore) => {
      const store = newStore()
      await store.apply(stepAt(0, { puts: [entryOf(1)] }))
      await store.clear()
      same([await store.position(), await idsIn(store)], [null, []])
      same(await store.apply(stepAt(1, { puts: [entryOf(2)] })), undefined)
      same(await store.apply(stepAt(0, { puts: [entryOf(3)] })), [])
      same(await idsIn(store), ['library-3'])
      await store.close()
    },
  },
]

/** Promises of stores that outlive a page or process. */
export const LASTING_CONTRACT: ReadonlyArray<StoreTest> = [
  {
    name: 'a store that was closed has its copy when it is opened again',
    check: async (newStore) => {
      const store = newStore()
      await store.apply(stepAt(0, { puts: [entryOf(1), entryOf(2, 1, 'feed')] }))
      await store.close()
      const again = newStore()
      same([await again.position(), await again.get('library', 'library-1')], [positionAt(1), entryOf(1)])
      same(await again.apply(stepAt(1, { removes: [removal(1)] })), [])
      await again.close()
      same([await idsIn(again), await idsIn(again, 'feed')], [[], ['feed-2']])
      await again.close()
    },
  },
]
