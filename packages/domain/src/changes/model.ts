import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../access/caller.ts'
import type { WithIncluded } from '../content/include.ts'
import type { FeedItem, Label, LibraryItem } from '../content/model.ts'
import type { Leads } from '../content/rules.ts'
import { type LocalDate, MINUTE, startOfDay, type TimeZone } from '../values/time.ts'

/** The kinds of things that an app keeps a copy of (N1). */
export const CHANGE_KINDS = ['library', 'feed', 'label', 'portfolio'] as const
/** One of {@link CHANGE_KINDS}. */
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What of a thing changed: itself, the labels that an item has, or the sizes of its images (N1, N2). */
export const ASPECTS = ['own', 'labels', 'images'] as const
/** One of {@link ASPECTS}. */
export type Aspect = (typeof ASPECTS)[number]

/** A place in the order of changes: by the position of the write, then by rank, kind, id and aspect. */
export interface ChangePlace {
  /** Grows with each write that changes something. A write that commits later never has a place before one that was read (N2). */
  readonly position: number
  /** The place within a write: that of a label in the order of labels. */
  readonly rank: number
  readonly kind: ChangeKind
  readonly id: string
  readonly aspect: Aspect
}

const least = (a: O.Option<number>, b: O.Option<number>): O.Option<number> => {
  if (O.isNone(a)) return b
  return O.isNone(b) || a.value <= b.value ? a : b
}

/** Returns the leads over both of two times. */
export const leastLeads = (a: Leads, b: Leads): Leads => ({
  user: least(a.user, b.user),
  donor: least(a.donor, b.donor),
})

/** Milliseconds by which the days of a time zone may begin before those of UTC, in the year of a day. */
const earliestStart = (zone: TimeZone, day: LocalDate): number => {
  const year = day.slice(0, 4)
  const ahead = [`${year}-01-15`, `${year}-07-15`].map(
    (date) => Date.parse(date) - startOfDay(date as LocalDate, zone),
  )
  return Math.max(...ahead)
}

/** Returns the greatest lead with which a reader saw an item under an embargo (C9). The clocks of machines may differ by a minute. */
export const largestLead = (zone: TimeZone, today: LocalDate): number => earliestStart(zone, today) + MINUTE

/**
 * Returns whether a caller could once see an item that it cannot see now (N2).
 * @param largest as {@link largestLead}; Infinity without an embargo
 */
export const wasShown = (leads: Leads, audience: Scope, largest: number): boolean => {
  if (audience === 'content-manager') return true
  const lead = audience === 'user' ? leads.user : leads.donor
  return O.isSome(lead) && lead.value <= largest
}

/** An item as it is after a change; none once it is deleted. */
interface ItemState<Kind, Item> {
  readonly kind: Kind
  readonly state: O.Option<Item>
  /** Who could see it before its last change. */
  readonly leads: Leads
}

/** The change of an item. */
export type StoredItemChange = ChangePlace & (ItemState<'library', LibraryItem> | ItemState<'feed', FeedItem>)

/** What changed at a place, and how it is now. A thing has one place for each aspect: that of its last change. */
export type StoredChange =
  | StoredItemChange
  | (ChangePlace & { readonly kind: 'label'; readonly state: O.Option<Label> })
  | (ChangePlace & { readonly kind: 'portfolio' })

/** The greatest position that a copy holds. */
export type HeldPosition = Pick<ChangesTip, 'epoch' | 'position'>

/** How far changes are complete: all with a position up to this one are committed and can be read. */
export interface ChangesTip {
  /** The epoch of these positions. Another one begins where positions may count again from an earlier one (N3). */
  readonly epoch: string
  readonly position: number
  /** The greatest position that can be read, even if an earlier one may still come. */
  readonly latest: number
}

/** A change as a caller gets it (N1). */
export type Change =
  | {
      readonly kind: 'library'
      readonly operation: 'put'
      readonly id: string
      readonly item: WithIncluded<LibraryItem>
    }
  | {
      readonly kind: 'feed'
      readonly operation: 'put'
      readonly id: string
      readonly item: WithIncluded<FeedItem>
    }
  | { readonly kind: 'label'; readonly operation: 'put'; readonly id: string; readonly label: Label }
  | { readonly kind: 'library' | 'feed' | 'label'; readonly operation: 'remove'; readonly id: string }
  | { readonly kind: 'portfolio'; readonly operation: 'reload' }

const keyOf = (change: Change): string => `${change.kind} ${'id' in change ? change.id : ''}`

/** Takes a change into an answer, behind the others; false if the answer is full. A thing stands once in it, with its latest state (N1). */
export const take = (changes: Map<string, Change>, change: Change, most: number): boolean => {
  const key = keyOf(change)
  const known = changes.delete(key)
  if (!known && changes.size >= most) return false
  changes.set(key, change)
  return true
}

/** The cursor belongs to another kind of request, or is too old, or holds what this service never had: begin without one (N3). */
export interface CursorExpired {
  readonly _tag: 'CursorExpired'
}

/** The one {@link CursorExpired}. */
export const CURSOR_EXPIRED: CursorExpired = { _tag: 'CursorExpired' }

/** Returns the rank from which a load of labels changes them, whether it changes their order, and the ones with new names (N1). */
export const labelChanges = (
  before: ReadonlyArray<Label>,
  after: ReadonlyArray<Label>,
): { readonly from: number; readonly isReordered: boolean; readonly renamed: ReadonlyArray<Label> } => {
  const known = new Map(before.map((label) => [label.labelId, label]))
  const kept = new Set(after.map(({ labelId }) => labelId))
  const stayed = before.filter(({ labelId }) => kept.has(labelId))
  const isReordered = stayed.some(({ labelId }, at) => after[at]?.labelId !== labelId)
  const isSame = (label: Label): boolean => {
    const old = known.get(label.labelId)
    return old !== undefined && old.en === label.en && old.fr === label.fr
  }
  const first = after.findIndex((label) => !isSame(label))
  return {
    from: isReordered ? 0 : first === -1 ? after.length : first,
    isReordered,
    renamed: after.filter((label) => known.has(label.labelId) && !isSame(label)),
  }
}
