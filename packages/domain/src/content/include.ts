import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RR from 'fp-ts/lib/ReadonlyRecord.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, hasScope, type InsufficientScope, insufficientScope } from '../access/caller.ts'
import type { ContentType } from '../history/model.ts'
import {
  type ImageRef,
  type ImageSize,
  imageAt,
  type MediaAddresses,
  type MediaName,
  storedAmong,
} from '../media/model.ts'
import type { ItemId } from '../values/ids.ts'
import { listingOf, mapListing, type ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import { type Refined, refined } from '../values/refined.ts'
import type { ImageAlt } from '../values/text.ts'
import type { Field, FieldSet } from './fields.ts'
import { type Author, type FeedItem, type Label, type LibraryItem, shownImage } from './model.ts'
import { isOlder } from './older.ts'
import type { ContentPorts } from './ports.ts'
import { type Counterpart, isVisible, type Visibility } from './rules.ts'

/** An image that an item shows, with its description and, if it is stored here and its size is known, its size (D9). */
export interface DescribedImage {
  readonly image: ImageRef
  readonly alt: O.Option<ImageAlt>
  readonly size: O.Option<ImageSize>
}

/** What `include` adds to an item (J4). */
export interface Included {
  readonly labels?: ReadonlyArray<Label>
  /** The counterpart of a publication, if the caller may see it. */
  readonly translation?: O.Option<Counterpart>
  /** Whether a publication is older than its counterpart, if the caller may see that (J8). */
  readonly older?: O.Option<boolean>
  /** The author of a post, if it is known. */
  readonly author?: O.Option<Author>
  /** The images of an item by their names (D9). */
  readonly images?: Readonly<Record<string, O.Option<DescribedImage>>>
  /** The fields of the item itself that were asked for (J4). */
  readonly fields?: ReadonlyArray<string>
}

/** An item with what `include` adds to it; without, if nothing was asked for. */
export type WithIncluded<Item> = Item & { readonly included?: Included }

/** Reads a member of all items of a page with one statement. */
export type ReadMember<Item = unknown> = (
  ids: ReadonlyArray<ItemId>,
  items: ReadonlyArray<Item>,
) => TE.TaskEither<Unavailable, (id: ItemId) => Included>

/** Reads the labels of items. */
export const readLabelMember =
  ({ labels }: Pick<ContentPorts, 'labels'>, contentType: ContentType): ReadMember =>
  (ids) =>
    pipe(
      labels.ofItems(contentType, ids),
      TE.map((found) => (id) => ({ labels: found.get(id) ?? [] })),
    )

/** Reads the counterparts of publications; one that the caller may not see is none (J4). */
export const readTranslationMember =
  ({ translations }: Pick<ContentPorts, 'translations'>, visibility: Visibility): ReadMember =>
  (ids) =>
    pipe(
      translations.ofItems(ids),
      TE.map((found) => (id) => ({
        translation: O.filter(isVisible(visibility))(O.fromNullable(found.get(id))),
      })),
    )

/** Reads whether publications are older than their counterparts; none without one that the caller may see (J8). */
export const readOlderMember =
  ({ translations }: Pick<ContentPorts, 'translations'>, visibility: Visibility): ReadMember =>
  (ids) =>
    pipe(
      translations.ofItems(ids),
      TE.map((found) => (id) => ({
        older: pipe(O.fromNullable(found.get(id)), O.filter(isVisible(visibility)), O.map(isOlder)),
      })),
    )

/** Reads the authors of posts. */
export const readAuthorMember =
  ({ feedAuthors }: Pick<ContentPorts, 'feedAuthors'>): ReadMember =>
  (ids) =>
    pipe(
      feedAuthors.ofPosts(ids),
      TE.map((found) => (id) => ({ author: O.fromNullable(found.get(id)) })),
    )

/** Returns the images that an item shows, without their sizes. */
type ImagesOf<Item> = (item: Item) => NonNullable<Included['images']>

const described = (image: O.Option<ImageRef>, alt: O.Option<ImageAlt>): O.Option<DescribedImage> =>
  O.map((one: ImageRef) => ({ image: one, alt, size: O.none }))(image)

/** Returns the images of a publication (D9). */
export const libraryImagesOf: ImagesOf<LibraryItem> = ({ images, coverAlt, notificationAlt }) => ({
  cover: described(images.cover, coverAlt),
  notification: described(images.notification, notificationAlt),
})

/** Returns the image of a post (D9). A photo's link may lead to an image that is stored here. */
export const feedImagesOf =
  (addresses: MediaAddresses): ImagesOf<FeedItem> =>
  ({ content, imageAlt }) => {
    const ours = (image: ImageRef) => (image.kind === 'linked' ? imageAt(addresses)(image.url) : image)
    return { image: described(O.map(ours)(shownImage(content)), imageAlt) }
  }

/** Reads the images of items with their sizes (D9). */
export const readImagesMember =
  <Item extends { readonly id: ItemId }>(
    { knownImages }: Pick<ContentPorts, 'knownImages'>,
    imagesOf: ImagesOf<Item>,
  ): ReadMember<Item> =>
  (_, items) => {
    const shown = new Map(items.map((item) => [item.id, imagesOf(item)]))
    const refs = [...shown.values()].flatMap((images) =>
      Object.values(images).map(O.map(({ image }) => image)),
    )
    const sized = (sizes: ReadonlyMap<MediaName, ImageSize>) =>
      O.map((one: DescribedImage) => ({
        ...one,
        size: one.image.kind === 'stored' ? O.fromNullable(sizes.get(one.image.name)) : O.none,
      }))
    return pipe(
      knownImages.sizesOf(storedAmong(refs)),
      TE.map((sizes) => (id) => ({ images: RR.map(sized(sizes))(shown.get(id) ?? {}) })),
    )
  }

/** Makes the codec of a comma-separated list of exact names, which gives them in the order of `names`. */
export const namesOf = <Name extends string>(
  codecName: string,
  names: ReadonlyArray<Name>,
  description: string,
): Refined<ReadonlyArray<Name>> =>
  refined(
    codecName,
    (text) => {
      const asked = text.split(',')
      return asked.every((one) => names.some((name) => name === one))
        ? E.right(names.filter((name) => asked.includes(name)))
        : E.left(`must be a comma-separated list of: ${names.join(', ')}`)
    },
    {
      type: 'string',
      description: `${description}, separated by commas: ${names.map((name) => `\`${name}\``).join(', ')}.`,
      pattern: `^(${names.join('|')})(,(${names.join('|')}))*$`,
    },
  )

/**
 * Makes the codec of `include` for a route that can add these members: a comma-separated list of exact names (G6, J4).
 * @param to the object that they are added to, for the description
 */
export const includeOf = <Name extends string>(
  names: ReadonlyArray<Name>,
  to = 'each item',
): Refined<ReadonlyArray<Name>> => namesOf('Include', names, `Members to add to ${to}`)

/** Makes the codec of `include` for a route that passes over all other names (L3). */
export const includeAmong = <Name extends string>(names: ReadonlyArray<Name>): Refined<ReadonlyArray<Name>> =>
  refined<ReadonlyArray<Name>>(
    'IncludeAmong',
    (text) => E.right(names.filter((name) => text.split(',').includes(name))),
    {
      type: 'string',
      description: `Members to add to each item, separated by commas: ${names.map((name) => `\`${name}\``).join(', ')}. Other names are ignored.`,
    },
  )

type NameOf<F> = F extends { readonly shown: { readonly include: infer Name extends string } } ? Name : never

/** The names by which `include` asks for fields of a definition. */
export type IncludeName<S> = { [N in keyof S]: NameOf<S[N]> }[keyof S]

const askedBy = (fields: FieldSet, include: string): ReadonlyArray<readonly [name: string, field: Field]> =>
  Object.entries(fields).filter(([, { shown }]) => shown?.include === include)

/** Returns the names by which `include` asks for fields that responses do not always have. */
export const includeNames = <S extends FieldSet>(fields: S): ReadonlyArray<IncludeName<S>> => {
  const names = Object.values<Field>(fields).flatMap(({ shown }) =>
    shown === undefined ? [] : [shown.include],
  )
  return [...new Set(names)] as ReadonlyArray<string> as ReadonlyArray<IncludeName<S>>
}

/** Returns how the fields of a definition are added by these names. Nothing has to be read: they are the item's. */
export const fieldMembers = <S extends FieldSet>(
  fields: S,
): Readonly<Record<IncludeName<S>, () => ReadMember>> => {
  const members = includeNames(fields).map((name): [string, () => ReadMember] => {
    const asked = askedBy(fields, name).map(([field]) => field)
    return [name, () => () => TE.right(() => ({ fields: asked }))]
  })
  return Object.fromEntries(members) as Readonly<Record<IncludeName<S>, () => ReadMember>>
}

/** Names the fields that a caller asks for, or by which it finds items. */
interface AskedFields {
  readonly include?: ReadonlyArray<string> | undefined
  readonly scheduled?: string | undefined
}

/** Does work for a caller that may see the fields that it asks for, and by which it finds items (J1, J4). */
export const withScopes = <E, A>(
  fields: FieldSet,
  caller: Caller,
  { include = [], scheduled }: AskedFields,
  work: TE.TaskEither<E, A>,
): TE.TaskEither<E | InsufficientScope, A> => {
  const scopes = [...include, ...(scheduled === undefined ? [] : ['schedule'])]
    .flatMap((name) => askedBy(fields, name))
    .flatMap(([, { shown }]) => shown?.scope ?? [])
  const missing = scopes.find((scope) => !hasScope(caller, scope))
  return missing === undefined ? work : TE.left(insufficientScope(missing))
}

const merged = (members: ReadonlyArray<Included>): Included => {
  const fields = members.flatMap((member) => member.fields ?? [])
  return Object.assign({}, ...members, fields.length === 0 ? {} : { fields })
}

const readAll =
  <Item extends { readonly id: ItemId }>(members: ReadonlyArray<ReadMember<Item>>) =>
  (items: ReadonlyArray<Item>): TE.TaskEither<Unavailable, ReadonlyArray<WithIncluded<Item>>> => {
    const ids = items.map(({ id }) => id)
    return pipe(
      members,
      TE.traverseArray((read) => read(ids, items)),
      TE.map((read) => items.map((item) => ({ ...item, included: merged(read.map((of) => of(item.id))) }))),
    )
  }

/** Adds the members to every item, with one statement for each member and page (J4). */
export const withIncluded =
  <Item extends { readonly id: ItemId }>(members: ReadonlyArray<ReadMember<Item>>) =>
  <P>(found: ResultSet<Item, P>): TE.TaskEither<Unavailable, ResultSet<WithIncluded<Item>, P>> => {
    const read = readAll<Item>(members)
    const total = found.total === undefined ? {} : { total: found.total }
    return found.loaded === undefined
      ? TE.right({ ...mapListing(found, read), ...total })
      : pipe(
          read(found.loaded),
          TE.map((items) => ({ ...listingOf(items, found.next), ...total })),
        )
  }
