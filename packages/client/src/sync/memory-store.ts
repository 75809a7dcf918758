import type { CopyEntry, CopyKey, CopyKind, CopyPosition, SyncStore } from './model.ts'

const keyOf = ({ kind, id }: CopyKey): string => `${kind} ${id}`

const descending = (one: CopyEntry, other: CopyEntry): number => (one.rank < other.rank ? 1 : -1)

/** Keeps a copy in memory. It begins empty, and ends with the process or page. */
export const memoryStore = (): SyncStore => {
  const entries = new Map<string, CopyEntry>()
  /** Entries of each kind that has been listed since the last change, in order. */
  const sorted = new Map<CopyKind, ReadonlyArray<CopyEntry>>()
  let position: CopyPosition | undefined

  const inOrder = (kind: CopyKind): ReadonlyArray<CopyEntry> => {
    const list =
      sorted.get(kind) ?? [...entries.values()].filter((entry) => entry.kind === kind).toSorted(descending)
    sorted.set(kind, list)
    return list
  }

  return {
    position: async () => position,
    apply: async ({ from, to, puts, removes, sweeps }) => {
      if (position?.cursor !== from) return undefined
      for (const entry of puts) entries.set(keyOf(entry), entry)
      for (const key of removes) entries.delete(keyOf(key))
      const swept = sweeps ? [...entries.values()].filter(({ pass }) => pass !== to.pass) : []
      for (const entry of swept) entries.delete(keyOf(entry))
      if (puts.length + removes.length + swept.length > 0) sorted.clear()
      position = to
      return swept
    },
    get: async (kind, id) => entries.get(keyOf({ kind, id })) as never,
    scan: async (kind, visit) => {
      for (const entry of inOrder(kind)) if (!visit(entry as never)) return
    },
    clear: async () => {
      entries.clear()
      sorted.clear()
      position = undefined
    },
    close: async () => {},
  }
}
