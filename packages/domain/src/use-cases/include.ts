import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ContentType } from '../items/item.ts'
import type { Label } from '../labels/label.ts'
import type { Ports } from '../ports/index.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import type { ItemId } from '../values/ids.ts'
import { listingOf, mapListing, type ResultSet } from '../values/page.ts'
import { type Refined, refined } from '../values/refined.ts'

/** What `include` adds to an item (J4). */
export interface Included {
  readonly labels?: ReadonlyArray<Label>
}

/** An item with what `include` adds to it; without, if nothing was asked for. */
export type WithIncluded<Item> = Item & { readonly included?: Included }

/** The names of what `include` can add, as its members of an item are called (J4). */
export type IncludeName = keyof Included

/** The ports that the members come from. */
export type IncludePorts = Pick<Ports, 'labels'>

/** Reads one member of all items of a page with one statement. */
type ReadMember = (
  ports: IncludePorts,
  contentType: ContentType,
  ids: ReadonlyArray<ItemId>,
) => TE.TaskEither<Unavailable, (id: ItemId) => Included>

const READ_MEMBER: Readonly<Record<IncludeName, ReadMember>> = {
  labels: ({ labels }, contentType, ids) =>
    pipe(
      labels.ofItems(contentType, ids),
      TE.map((found) => (id) => ({ labels: found.get(id) ?? [] })),
    ),
}

/** Makes the codec of `include` for a route that can add these members: a comma-separated list of exact names (J4). */
export const includeOf = <Name extends IncludeName>(
  names: ReadonlyArray<Name>,
): Refined<ReadonlyArray<Name>> =>
  refined(
    'Include',
    (text) => {
      const asked = text.split(',')
      return asked.every((one) => names.some((name) => name === one))
        ? E.right(names.filter((name) => asked.includes(name)))
        : E.left(`must be a comma-separated list of: ${names.join(', ')}`)
    },
    {
      type: 'string',
      description: `Members to add to each item, separated by commas: ${names.map((name) => `\`${name}\``).join(', ')}.`,
      pattern: `^(${names.join('|')})(,(${names.join('|')}))*$`,
    },
  )

const readAll =
  <Item extends { readonly id: ItemId }>(
    ports: IncludePorts,
    contentType: ContentType,
    names: ReadonlyArray<IncludeName>,
  ) =>
  (items: ReadonlyArray<Item>): TE.TaskEither<Unavailable, ReadonlyArray<WithIncluded<Item>>> => {
    const ids = items.map(({ id }) => id)
    return pipe(
      names,
      TE.traverseArray((name) => READ_MEMBER[name](ports, contentType, ids)),
      TE.map((members) =>
        items.map((item) => ({ ...item, included: Object.assign({}, ...members.map((of) => of(item.id))) })),
      ),
    )
  }

/** Adds the members to every item, with one statement for each member and page (J4). */
export const withIncluded =
  (ports: IncludePorts, contentType: ContentType, names: ReadonlyArray<IncludeName>) =>
  <Item extends { readonly id: ItemId }, P>(
    found: ResultSet<Item, P>,
  ): TE.TaskEither<Unavailable, ResultSet<WithIncluded<Item>, P>> => {
    if (names.length === 0) return TE.right(found)
    const read = readAll<Item>(ports, contentType, names)
    const total = found.total === undefined ? {} : { total: found.total }
    return found.loaded === undefined
      ? TE.right({ ...mapListing(found, read), ...total })
      : pipe(
          read(found.loaded),
          TE.map((items) => ({ ...listingOf(items, found.next), ...total })),
        )
  }
