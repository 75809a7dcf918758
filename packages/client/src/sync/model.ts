import type { FeedItem, LibraryItem, Schemas } from '../operations.ts'

/** A label, in both languages. */
export type Label = Schemas['Label']

/** The objects of a copy, by kind. */
export interface CopyObjects {
  readonly library: LibraryItem
  readonly feed: FeedItem
  readonly label: Label
}

/** The kinds of objects that a copy holds. */
export type CopyKind = keyof CopyObjects

/** Names one object of a copy. */
export interface CopyKey<K extends CopyKind = CopyKind> {
  readonly kind: K
  readonly id: string
}

/** One object as a store keeps it. */
export interface CopyEntry<K extends CopyKind = CopyKind> extends CopyKey<K> {
  /** Its place among the entries of its kind, which are listed in descending order of this text. */
  readonly rank: string
  /** The {@link CopyPosition.pass} that it came with last. */
  readonly pass: number
  readonly value: CopyObjects[K]
}

/** How far a copy has come. A store keeps it with the entries, in one transaction. */
export interface CopyPosition {
  /** The cursor of the last answer (N1). */
  readonly cursor: string
  /** How often the copy was begun without a cursor. */
  readonly pass: number
  /** Whether the first answers of this pass are still arriving. */
  readonly isWalking: boolean
  /** Whether any pass has come to its end, so that the copy has once held everything. */
  readonly isComplete: boolean
  /** How often the portfolio was replaced, as far as the copy knows. */
  readonly portfolio: number
  /** How many labels have arrived: the next one's rank. */
  readonly labels: number
}

/** The effect of one answer on a copy. A store does all of it or nothing. */
export interface CopyStep {
  /** The cursor that the copy must still have, undefined if it was empty. */
  readonly from: string | undefined
  readonly to: CopyPosition
  readonly puts: ReadonlyArray<CopyEntry>
  readonly removes: ReadonlyArray<CopyKey>
  /** Whether entries of earlier passes are removed: they did not arrive again. */
  readonly sweeps: boolean
}

/** One change of a copy, without the object. */
export type CopyChange =
  | (CopyKey & { readonly operation: 'put' | 'remove' })
  | { readonly kind: 'portfolio'; readonly operation: 'reload' }

/** Receives the changes of one answer, after they are stored. */
export type CopyListener = (changes: ReadonlyArray<CopyChange>) => void

/**
 * Keeps a copy: in memory, in IndexedDB, in a file, or elsewhere. Several callers, such as two tabs, may share one: a step that does not
 * begin where the copy is has no effect.
 */
export interface SyncStore {
  /** Returns how far the copy has come; undefined before its first step. */
  readonly position: () => Promise<CopyPosition | undefined>
  /**
   * Does a step in one transaction if the copy's cursor is `step.from`. Returns the entries that `sweeps` removed, or undefined if the
   * cursor is another one and nothing was done.
   */
  readonly apply: (step: CopyStep) => Promise<ReadonlyArray<CopyKey> | undefined>
  /** Returns an entry. */
  readonly get: <K extends CopyKind>(kind: K, id: string) => Promise<CopyEntry<K> | undefined>
  /** Calls `visit` for the entries of a kind, in descending order of rank, until it returns false. */
  readonly scan: <K extends CopyKind>(kind: K, visit: (entry: CopyEntry<K>) => boolean) => Promise<void>
  /** Empties the copy, its position included, for example when its person signs out. */
  readonly clear: () => Promise<void>
  /** Ends the use of the store. */
  readonly close: () => Promise<void>
  /** Passes changes on to the other users of the copy, such as other tabs. */
  readonly announce?: CopyListener
  /** Receives the changes of the other users of the copy, until the returned function is called. */
  readonly listen?: (listener: CopyListener) => () => void
}

/** A change as the service sends it (N1). Kinds that this version does not know are passed over. */
export interface SentChange {
  readonly kind: string
  readonly operation: string
  readonly id?: string
  readonly item?: LibraryItem | FeedItem
  readonly label?: Label
}

/** An answer of `GET /changes`. */
export interface SentChanges {
  readonly changes: ReadonlyArray<{ readonly change: SentChange }>
  readonly cursor: string
}

const KINDS: ReadonlySet<string> = new Set<CopyKind>(['library', 'feed', 'label'])

/** Digits of a label's rank: an answer each second for as long as numbers are exact. */
const DIGITS = 16

/** Returns the last change of each object. */
const latestOf = (changes: SentChanges['changes']) => {
  const latest = new Map<string, SentChange & CopyKey>()
  for (const { change } of changes) {
    const { kind, id } = change
    if (id === undefined || !KINDS.has(kind)) continue
    const key = `${kind} ${id}`
    // A later place in the map is a later place among labels.
    latest.delete(key)
    latest.set(key, change as SentChange & CopyKey)
  }
  return [...latest.values()]
}

/** Returns the place of an object among its kind: items as the collections order them (C3), labels by arrival. */
const rankOf = (kind: CopyKind, id: string, value: CopyObjects[CopyKind], labels: number): string => {
  if (kind === 'label') return String(Number.MAX_SAFE_INTEGER - labels).padStart(DIGITS, '0')
  const day = kind === 'library' ? (value as LibraryItem).itemPublicationDate : (value as FeedItem).createdAt
  return `${day} ${id}`
}

/** How far a copy is before its first answer. */
const START: Omit<CopyPosition, 'cursor'> = {
  pass: 0,
  isWalking: false,
  isComplete: false,
  portfolio: 0,
  labels: 0,
}

/** An answer of `GET /changes`, and its part in the walk. */
export interface Arrived {
  readonly sent: SentChanges
  /** Whether it was asked for without a cursor. */
  readonly isBegin: boolean
  /** Whether nothing more is waiting. */
  readonly isLast: boolean
}

/** Returns the effect of an answer on a copy that has come as far as `position` (N1). */
export const stepOf = (
  position: CopyPosition | undefined,
  { sent: { changes, cursor }, isBegin, isLast }: Arrived,
): CopyStep => {
  const before = position ?? START
  const pass = before.pass + Number(isBegin)
  const isWalking = isBegin || before.isWalking
  let { labels } = before
  const puts: Array<CopyEntry> = []
  const removes: Array<CopyKey> = []
  for (const { kind, id, item, label } of latestOf(changes)) {
    const value = item ?? label
    if (value === undefined) removes.push({ kind, id })
    else puts.push({ kind, id, rank: rankOf(kind, id, value, labels), pass, value })
    if (kind === 'label') labels += 1
  }
  const reloads = changes.some(({ change }) => change.kind === 'portfolio')
  return {
    from: position?.cursor,
    to: {
      cursor,
      pass,
      isWalking: isWalking && !isLast,
      isComplete: before.isComplete || isLast,
      portfolio: before.portfolio + Number(reloads),
      labels,
    },
    puts,
    removes,
    sweeps: isWalking && isLast && pass > 1,
  }
}

/** Returns what a step has changed, without the objects. */
export const changesOf = (
  { to, puts, removes }: CopyStep,
  swept: ReadonlyArray<CopyKey>,
  portfolioBefore: number,
): ReadonlyArray<CopyChange> => [
  ...puts.map(({ kind, id }) => ({ kind, id, operation: 'put' as const })),
  ...[...removes, ...swept].map(({ kind, id }) => ({ kind, id, operation: 'remove' as const })),
  ...(to.portfolio > portfolioBefore ? [{ kind: 'portfolio', operation: 'reload' } as const] : []),
]
