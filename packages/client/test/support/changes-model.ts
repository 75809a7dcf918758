import { ApiError, type CopyKind, type CopyObjects, type Label } from '../../src/index.ts'
import type { SentChange } from '../../src/sync/model.ts'

/** A change of a service in the place of the real one. */
export type Act =
  | { readonly act: 'put'; readonly kind: 'library' | 'feed'; readonly n: number; readonly day: number }
  | { readonly act: 'remove'; readonly kind: 'library' | 'feed'; readonly n: number }
  | { readonly act: 'labels'; readonly order: ReadonlyArray<number> }
  | { readonly act: 'portfolio' }
  | { readonly act: 'expire' }

/** An item with the fields that a copy looks at; `version` differs whenever it was put. */
export const itemOf = (kind: 'library' | 'feed', n: number, day: number, version: number) => {
  const date = `2026-05-${String(day + 1).padStart(2, '0')}`
  const item = {
    itemId: `${kind}-${n}`,
    itemTitle: `version ${version}`,
    lang: n % 2 === 0 ? 'en' : 'fr',
    status: n % 3 === 0 ? 'Draft' : 'Live',
    isDonorRestricted: '0',
    itemPublicationDate: date,
    createdAt: `${date}T12:00:00.000Z`,
    labels: [{ label: labelOf(n % 2) }],
  }
  return item as unknown as CopyObjects['library'] & CopyObjects['feed']
}

export const labelOf = (n: number): Label => ({
  labelId: `label-${n}`,
  en: `English ${n}`,
  fr: `French ${n}`,
})

interface Asked {
  readonly query: { readonly since?: string; readonly lim?: number }
  readonly wait?: number
}

/**
 * Answers `GET /changes` from memory by the text of N1 to N3: each object stands at the place of its last change, and a page is what follows
 * a cursor. `faults` are thrown in the place of the next answers.
 */
export const changesModel = () => {
  const rows = new Map<string, SentChange>()
  const faults: Array<unknown> = []
  const asked: Array<Asked> = []
  let [seq, epoch] = [0, 0]
  const places = new Map<string, number>()

  const set = (key: string, change: SentChange) => {
    seq += 1
    rows.delete(key)
    rows.set(key, change)
    places.set(key, seq)
  }
  const put = (kind: 'library' | 'feed', n: number, day: number) => {
    const item = itemOf(kind, n, day, seq)
    set(`${kind} ${item.itemId}`, { kind, id: item.itemId, operation: 'put', item })
  }
  const shown = (kind: CopyKind) =>
    [...rows.values()].filter((row) => row.kind === kind && row.operation === 'put')

  const acts: { readonly [A in Act['act']]: (act: Extract<Act, { act: A }>) => void } = {
    put: ({ kind, n, day }) => put(kind, n, day),
    remove: ({ kind, n }) => {
      const id = `${kind}-${n}`
      if (rows.get(`${kind} ${id}`)?.operation === 'put')
        set(`${kind} ${id}`, { kind, id, operation: 'remove' })
    },
    labels: ({ order }) => {
      const ids = new Set(order.map((n) => `label-${n}`))
      for (const { id = '' } of shown('label'))
        if (!ids.has(id)) set(`label ${id}`, { kind: 'label', id, operation: 'remove' })
      for (const n of order) {
        const label = labelOf(n)
        set(`label ${label.labelId}`, { kind: 'label', id: label.labelId, operation: 'put', label })
      }
    },
    portfolio: () => set('portfolio', { kind: 'portfolio', operation: 'reload' }),
    expire: () => {
      epoch += 1
    },
  }

  const answer = async (_: string, { query, wait }: Asked) => {
    asked.push({ query, ...(wait === undefined ? {} : { wait }) })
    if (faults.length > 0) throw faults.shift()
    const { since, lim = 200 } = query
    const [of = epoch, from = 0] = since?.split('.').map(Number) ?? []
    if (of !== epoch) throw new ApiError({ status: 410, retryAfter: undefined }, { code: 'cursor_expired' })
    const waiting = [...rows].filter(
      ([key, { operation }]) =>
        (places.get(key) ?? 0) > from && (since !== undefined || operation !== 'remove'),
    )
    const page = waiting.slice(0, lim)
    const place = page.length < waiting.length ? places.get(page.at(-1)?.[0] ?? '') : seq
    const cursor = `${epoch}.${place}`
    const link = `<https://almoner.example.org/changes?since=${cursor}>; rel="next"`
    return {
      data: { changes: page.map(([, change]) => ({ change })), cursor },
      etag: undefined,
      headers: new Headers(page.length < waiting.length ? { Link: link } : {}),
    }
  }

  return {
    answer,
    client: { get: answer as never },
    asked,
    faults,
    do: (act: Act) => acts[act.act](act as never),
    /** The objects of a kind, in the order of the collections (C3). */
    collection: (kind: CopyKind): ReadonlyArray<unknown> => {
      const rowsOfKind = shown(kind)
      if (kind === 'label') return rowsOfKind.map(({ label }) => label)
      const key = (row: SentChange) => `${row.item?.createdAt} ${row.id}`
      return rowsOfKind.toSorted((one, other) => (key(one) < key(other) ? 1 : -1)).map(({ item }) => item)
    },
  }
}

export type ChangesModel = ReturnType<typeof changesModel>
