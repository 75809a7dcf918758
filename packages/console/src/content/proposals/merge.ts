import { altsOf, type Clash, type Fields, fieldNames, fieldsOf, mergeFields } from '../editor/fields.ts'
import { type Item, isPost } from '../items.ts'

/** The fields of images, as the history names them. */
const IMAGES = ['coverImgUrl', 'notificationImgUrl', 'itemRelatedLink'] as const

const textOf = (item: Item, name: string): string =>
  String((item as unknown as Readonly<Record<string, unknown>>)[name] ?? '')

/** An item as a proposal would leave it. */
export interface MergedProposal {
  /** Fields that only the live version has changed since the proposal began are as they are there (C16). */
  readonly proposed: Item
  /** The fields that both have changed differently since. */
  readonly clashes: ReadonlyArray<Clash>
}

/** Merges a proposal with the live version: a field that only one of them has changed since the proposal began takes that change. */
export const mergeProposal = (
  {
    base,
    state,
  }: { readonly base: Readonly<Record<string, string>>; readonly state: Readonly<Record<string, string>> },
  item: Item,
): MergedProposal => {
  const known = (fields: Readonly<Record<string, string>>): Fields =>
    Object.fromEntries(
      fieldNames(isPost(item) ? 'feed' : 'library').flatMap((name) =>
        fields[name] === undefined ? [] : [[name, fields[name]]],
      ),
    )
  const { fields, clashes } = mergeFields(known(base), fieldsOf(item), known(state))
  const images = Object.fromEntries(
    IMAGES.flatMap((name) => {
      const value = state[name]
      return value === undefined || value === base[name] ? [] : [[name, value]]
    }),
  )
  // The image that stands for a publication is its cover (D3).
  const standsFor = images['coverImgUrl'] === undefined ? {} : { itemRelatedLink: images['coverImgUrl'] }
  const proposed = {
    ...item,
    ...fields,
    ...standsFor,
    ...images,
    alts: { ...item.alts, ...altsOf(fields) },
  } as Item
  return { proposed, clashes }
}

/** A field whose value would change, with both values, as the history has them. */
export interface ProposedChange {
  readonly field: string
  readonly before: string
  readonly after: string
}

/** Returns what readers would notice if an item had other fields and images: each change against the live version. */
export const changesAgainst = (live: Item, proposed: Item, fields: Fields): ReadonlyArray<ProposedChange> => {
  const before = fieldsOf(live)
  const texts = fieldNames(isPost(live) ? 'feed' : 'library').map((field) => ({
    ...{ field, before: before[field] ?? '', after: fields[field] ?? before[field] ?? '' },
  }))
  const places = isPost(live)
    ? (['itemRelatedLink'] as const)
    : (['coverImgUrl', 'notificationImgUrl'] as const)
  const images = places.map((field) => ({
    ...{ field, before: textOf(live, field), after: textOf(proposed, field) },
  }))
  return [...texts, ...images].filter((change) => change.before !== change.after)
}
