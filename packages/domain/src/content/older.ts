import * as O from 'fp-ts/lib/Option.js'
import { changesBetween, type FieldChange, type Fields } from '../history/model.ts'
import { type Field, type FieldSet, fieldTexts, LIBRARY_FIELDS } from './fields.ts'
import type { LibraryItem } from './model.ts'
import type { Counterpart } from './rules.ts'

/** The fields whose text a translation follows: title, description and descriptions of images (J8, D9). */
const TEXTS: FieldSet = Object.fromEntries(
  Object.entries<Field>(LIBRARY_FIELDS).filter(([, { kind }]) => kind === 'text'),
)

/** Those fields as the interface names them, each with the property that holds its text. */
export const TRANSLATED_FIELDS: ReadonlyArray<readonly [name: string, property: string]> = Object.entries(
  TEXTS,
).map(([name, { property }]) => [name, property])

/** Returns the translated texts of a publication, by field. */
export const translatedTexts: (item: LibraryItem) => Fields = fieldTexts(TEXTS)

/** Returns the translated texts in the state of a revision: fields that it does not have yet are empty. */
const textsIn = (state: Fields): Fields =>
  Object.fromEntries(TRANSLATED_FIELDS.map(([name]) => [name, state[name] ?? '']))

/**
 * Returns the words that changed since a base, by field: none where all of them are as they were (J8). Takes states of revisions or
 * {@link translatedTexts}.
 */
export const changedWords = (base: Fields, present: Fields): ReadonlyArray<FieldChange> =>
  changesBetween(textsIn(base), textsIn(present))

/** A counterpart with the words that changed on it since the base of the pair; none while the pair is in step (J8). */
export interface LinkedCounterpart extends Counterpart {
  readonly changes: ReadonlyArray<FieldChange>
}

/** Returns whether a publication is older than its counterpart: whose words have changed since both were in step (J8). */
export const isOlder = ({ changes }: Pick<LinkedCounterpart, 'changes'>): boolean => changes.length > 0

/**
 * The side of a pair whose words differ from the base, and its texts there. A pair in step has none: its base is what both sides say. The other
 * side is the older one.
 */
export interface Base {
  readonly side: 'item' | 'counterpart'
  /** The state of the revision that is the base. */
  readonly state: Fields
}

/**
 * What a write of a publication means for the base of its pair: the revision before becomes the base, the pair is in step, or the base
 * stays as it is.
 */
export type BaseChange = 'begins' | 'in step' | 'stays'

/** The change that a confirmation makes, for the audit record of the side that was older (J8, K1). */
export const CONFIRMED: FieldChange = { field: 'older', before: 'true', after: 'false' }

/**
 * Decides what a write of an item means for the base of its pair (J8). A change of the older side brings the pair in step, and so do words that
 * are taken back; a write that leaves the words alone means nothing.
 */
export const baseAfter = (base: O.Option<Base>, before: Fields, after: Fields): BaseChange => {
  if (changedWords(before, after).length === 0) return 'stays'
  if (O.isNone(base)) return 'begins'
  const { side, state } = base.value
  return side === 'counterpart' || changedWords(state, after).length === 0 ? 'in step' : 'stays'
}

/** What an editor may want to do about a publication and its counterpart: see {@link translationFindings}. */
export const TRANSLATION_FINDINGS = [
  'no counterpart',
  'counterpart is not Live',
  'counterpart is newer',
] as const
/** One of {@link TRANSLATION_FINDINGS}. */
export type TranslationFinding = (typeof TRANSLATION_FINDINGS)[number]

/**
 * Returns the findings about an item: it has no counterpart, it is Live and its counterpart is not, or words of its counterpart have
 * changed (J8). A pair has each finding at one of its sides only.
 */
export const translationFindings = (
  item: Pick<Counterpart, 'status'>,
  counterpart: O.Option<LinkedCounterpart>,
): ReadonlyArray<TranslationFinding> => {
  if (O.isNone(counterpart)) return ['no counterpart']
  const isAlone = item.status === 'Live' && counterpart.value.status !== 'Live'
  return [
    ...(isAlone ? (['counterpart is not Live'] as const) : []),
    ...(isOlder(counterpart.value) ? (['counterpart is newer'] as const) : []),
  ]
}
