import {
  type Aspect,
  type ChangeKind,
  type ChangePlace,
  type ChangesTip,
  labelChanges,
  leastLeads,
  type StoredChange,
} from '@almoner/domain/changes'
import { type ItemCore, type Label, leadsOf, NEVER_SHOWN, type Visible } from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import type { Changes, ChangesQuery } from '@almoner/domain/ports'
import { compareText, type Instant, type ItemId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ChangeRow, Tables } from './tables.ts'

const put = (tables: Tables, row: Omit<ChangeRow, 'position'>): void => {
  tables.changes.set(`${row.kind} ${row.aspect} ${row.id}`, { ...row, position: tables.lastChange })
}

/** The rank of things that have no order within a write. */
const NO_RANK = 0

/** Records the write of an item; `before` is the item until then. */
export const changeItem = (
  tables: Tables,
  kind: ContentType,
  before: Visible | undefined,
  { id, updatedAt }: Pick<ItemCore, 'id' | 'updatedAt'>,
): void => {
  tables.lastChange += 1
  const known = tables.changes.get(`${kind} own ${id}`)?.leads ?? NEVER_SHOWN
  const leads = before === undefined ? known : leastLeads(known, leadsOf(before, updatedAt))
  put(tables, { kind, id, aspect: 'own', rank: NO_RANK, leads })
}

/** Records the deletion of an item that was never Live (C18). */
export const changeRemoved = (tables: Tables, kind: ContentType, id: ItemId, goneAt: Instant): void => {
  tables.lastChange += 1
  const leads = tables.changes.get(`${kind} own ${id}`)?.leads ?? NEVER_SHOWN
  for (const [key, row] of tables.changes)
    if (row.kind === kind && row.id === id && row.aspect !== 'own') tables.changes.delete(key)
  put(tables, { kind, id, aspect: 'own', rank: NO_RANK, leads, goneAt })
}

/** Records a change of the labels or of the sizes of images of items. */
export const changeAspect = (
  tables: Tables,
  kind: ContentType,
  aspect: Exclude<Aspect, 'own'>,
  ids: Iterable<ItemId>,
): void => {
  tables.lastChange += 1
  for (const id of ids) put(tables, { kind, id, aspect, rank: NO_RANK, leads: NEVER_SHOWN })
}

/** Records another portfolio. */
export const changePortfolio = (tables: Tables): void => {
  tables.lastChange += 1
  put(tables, { kind: 'portfolio', id: '', aspect: 'own', rank: NO_RANK, leads: NEVER_SHOWN })
}

/** Records a load of labels. */
export const changeLabels = (
  tables: Tables,
  before: ReadonlyArray<Label>,
  after: ReadonlyArray<Label>,
  at: Instant | undefined,
): void => {
  const { from, isReordered, renamed } = labelChanges(before, after)
  const isChanged = isReordered ? () => true : (id: string) => renamed.some(({ labelId }) => labelId === id)
  tables.lastChange += 1
  const own = { kind: 'label', aspect: 'own', leads: NEVER_SHOWN } as const
  for (const [rank, { labelId }] of after.entries())
    if (rank >= from) put(tables, { ...own, id: labelId, rank })
  const kept = new Set(after.map(({ labelId }) => labelId))
  for (const { labelId } of before)
    if (!kept.has(labelId))
      put(tables, { ...own, id: labelId, rank: NO_RANK, ...(at !== undefined && { goneAt: at }) })
  for (const kind of CONTENT_TYPES) {
    const carrying = [...tables.attached[kind]].filter(([, labels]) => [...labels].some(isChanged))
    for (const [id] of carrying)
      put(tables, { kind, id, aspect: 'labels', rank: NO_RANK, leads: NEVER_SHOWN })
  }
}

const compare = (a: ChangePlace, b: ChangePlace): number =>
  a.position - b.position ||
  a.rank - b.rank ||
  compareText(a.kind, b.kind) ||
  compareText(a.id, b.id) ||
  compareText(a.aspect, b.aspect)

const isBehind =
  ({ position, place }: Pick<ChangesQuery, 'position' | 'place'>) =>
  (row: ChangeRow): boolean =>
    O.isSome(place) ? compare(row, place.value) > 0 : row.position > position

const stateOf = (tables: Tables, { goneAt: _, ...row }: ChangeRow): StoredChange => {
  const id = row.id as ItemId
  const states: Readonly<Record<ChangeKind, () => unknown>> = {
    library: () => tables.library.get(id),
    feed: () => tables.feed.get(id),
    label: () => tables.labels.find(({ labelId }) => labelId === row.id),
    portfolio: () => undefined,
  }
  return { ...row, state: O.fromNullable(states[row.kind]()) } as StoredChange
}

/** What changed, in memory. */
export const memoryChanges = (tables: Tables): Changes => {
  const tip = (): ChangesTip => ({
    epoch: tables.changeEpoch,
    position: tables.lastChange,
    latest: tables.lastChange,
  })
  return {
    tip: () => TE.fromIO(tip),
    endOf: () => TE.right(O.none),
    after: ({ kinds, aspects, most, ...from }) =>
      TE.fromIO(() => ({
        tip: tip(),
        changes: [...tables.changes.values()]
          .filter(isBehind(from))
          .filter(({ kind, aspect }) => kinds.includes(kind) && aspects.includes(aspect))
          .sort(compare)
          .slice(0, most)
          .map((row) => stateOf(tables, row)),
      })),
    purge: (deletedBy) => async () => {
      const gone = [...tables.changes].filter(([, { goneAt }]) => goneAt !== undefined && goneAt <= deletedBy)
      for (const [key] of gone) tables.changes.delete(key)
      return E.right(gone.length)
    },
  }
}
