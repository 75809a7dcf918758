import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { SCOPES, type Scope } from '../access/caller.ts'
import { type LibraryCursor, LibraryCursor as LibraryCursorCodec } from '../content/finding.ts'
import { refined } from '../values/refined.ts'
import type { Language } from '../values/text.ts'
import { LocalDate } from '../values/time.ts'
import { ASPECTS, CHANGE_KINDS, type ChangeKind, type ChangePlace, type HeldPosition } from './model.ts'

/** The members that changes of items may have besides (N1). */
export const CHANGE_MEMBERS = ['labels', 'images'] as const
/** One of {@link CHANGE_MEMBERS}. */
export type ChangeMember = (typeof CHANGE_MEMBERS)[number]

/** What a walk along changes is for: a cursor belongs to it (N3). */
export interface ChangesView {
  readonly audience: Scope
  readonly lang: O.Option<Language>
  readonly kinds: ReadonlyArray<ChangeKind>
  readonly include: ReadonlyArray<ChangeMember>
  /** Stands for the settings that decide what items look like, and who sees them when. */
  readonly settings: string
}

/** The walk along the items whose publication day came after the day of the cursor (C9). */
export interface DueWalk {
  readonly until: LocalDate
  readonly after: O.Option<LibraryCursor>
}

/** How far a copy has come. */
export interface ChangeCursor {
  readonly epoch: string
  /** The text of its {@link ChangesView}. */
  readonly view: string
  /** The day it was made, up to which publication days are accounted for (C9, K3). */
  readonly day: LocalDate
  readonly due: O.Option<DueWalk>
  /** In a walk that began without a cursor: the tip at its beginning. Nothing up to there has to be removed from the copy. */
  readonly first: O.Option<number>
  /** The greatest position of which the copy may hold something: labels, sizes and due publications are read after the changes (N3). */
  readonly seen: number
  /** All changes up to this position are in the copy; within it, those up to a place. */
  readonly position: number
  readonly place: O.Option<ChangePlace>
}

/** Returns the greatest position of which the copy may hold something. */
export const heldBy = ({ epoch, seen, first }: ChangeCursor): HeldPosition => ({
  epoch,
  position: Math.max(seen, O.getOrElse(() => 0)(first)),
})

/** Returns a digest of text as 14 characters: against slips, not against attackers (FNV-1a, twice). */
export const checksum = (text: string): string => {
  let [one, other] = [0x811c9dc5, 0x1b873593]
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
    other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b)
  }
  return [one, other].map((half) => (half >>> 0).toString(36).padStart(7, '0')).join('')
}

const bitsOf = <A>(all: ReadonlyArray<A>, some: ReadonlyArray<A>): number =>
  all.reduce((bits, one, at) => bits + (some.includes(one) ? 2 ** at : 0), 0)

/** Returns a text that differs for every view. */
export const viewText = ({ audience, lang, kinds, include, settings }: ChangesView): string =>
  [
    SCOPES.indexOf(audience),
    O.isNone(lang) ? '' : lang.value,
    bitsOf(CHANGE_KINDS, kinds),
    bitsOf(CHANGE_MEMBERS, include),
    settings,
  ].join('-')

/** Escapes an identifier for a cursor: letters, digits, `-` and `~`. */
const escaped = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('~', '%7E')
    .replaceAll(/[!'()*._]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
    .replaceAll('%', '~')

const plainOf = (text: string): string => decodeURIComponent(text.replaceAll('~', '%'))

const dueText = ({ until, after }: DueWalk): string =>
  O.isNone(after) ? until : `${until}_${after.value.key}_${escaped(after.value.id)}`

const placeFields = ({ rank, kind, aspect, id }: ChangePlace): ReadonlyArray<string | number> => [
  rank,
  CHANGE_KINDS.indexOf(kind),
  ASPECTS.indexOf(aspect),
  escaped(id),
]

/** The text form of a cursor. It holds no personal data. */
export const encodeChangeCursor = ({
  epoch,
  view,
  day,
  due,
  first,
  seen,
  position,
  place,
}: ChangeCursor): string => {
  const fields = [
    epoch,
    view,
    day,
    O.isNone(due) ? '' : dueText(due.value),
    O.isNone(first) ? '' : first.value,
    seen > position ? seen : '',
    position,
    ...(O.isNone(place) ? [] : placeFields(place.value)),
  ]
  const text = fields.join('.')
  return `${checksum(text)}.${text}`
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : undefined

const dueIn = (text: string): O.Option<DueWalk> | undefined => {
  if (text === '') return O.none
  const [until = '', key, id] = text.split('_')
  if (!LocalDate.is(until)) return undefined
  if (key === undefined || id === undefined) return O.some({ until, after: O.none })
  const after = LibraryCursorCodec.decode(`${key}~${plainOf(id)}`)
  return E.isRight(after) ? O.some({ until, after: O.some(after.right) }) : undefined
}

const placeIn = (
  position: number,
  [rank, kind, aspect, id]: ReadonlyArray<string>,
): O.Option<ChangePlace> | undefined => {
  if (rank === undefined) return O.none
  const [of, what] = [CHANGE_KINDS[Number(kind)], ASPECTS[Number(aspect)]]
  const number = wholeNumber(rank)
  if (number === undefined || of === undefined || what === undefined || id === undefined) return undefined
  return O.some({ position, rank: number, kind: of, id: plainOf(id), aspect: what })
}

const read = (text: string): ChangeCursor | undefined => {
  const [sum, ...fields] = text.split('.')
  if (sum !== checksum(fields.join('.'))) return undefined
  const [epoch = '', view = '', day = '', due = '', first = '', seen, position, ...rest] = fields
  const [at, began, walk] = [wholeNumber(position), wholeNumber(first), dueIn(due)]
  if (at === undefined || walk === undefined || !LocalDate.is(day)) return undefined
  const place = placeIn(at, rest)
  return place === undefined
    ? undefined
    : {
        ...{ epoch, view, day, due: walk, first: O.fromNullable(began), position: at, place },
        seen: Math.max(at, wholeNumber(seen) ?? at),
      }
}

/** Reads a cursor from the text that {@link encodeChangeCursor} made of it (N3). */
export const ChangeCursor = refined<ChangeCursor>(
  'ChangeCursor',
  (text) => {
    // Escapes that are none throw.
    const cursor = E.toUnion(
      E.tryCatch(
        () => read(text),
        () => undefined,
      ),
    )
    return cursor === undefined ? E.left('must be the cursor of an earlier answer') : E.right(cursor)
  },
  { type: 'string', description: '`cursor` of an earlier answer. Default: everything.' },
)
