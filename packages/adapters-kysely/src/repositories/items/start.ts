import type { Place } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { type Condition, condition } from '../../database/conditions.ts'

/** Where in the order reading begins. */
export type Start<K extends string | number> =
  | { readonly kind: 'top' }
  /** With the first item whose key is not greater. */
  | { readonly kind: 'key'; readonly key: K }
  /** With this item itself. */
  | { readonly kind: 'at'; readonly place: Place<K> }
  /** With the item behind this place. */
  | { readonly kind: 'after'; readonly place: Place<K> }

/**
 * Where a query begins. An embargo and a place are both upper bounds: only the lower of the two is handed on, because
 * an engine seeks by one and would filter row by row with the other, at a cost that grows with the rank (C11).
 */
export const startOf = <K extends string | number>(
  until: O.Option<K>,
  after: O.Option<Place<K>>,
): Start<K> => {
  if (O.isNone(after)) return O.isNone(until) ? { kind: 'top' } : { kind: 'key', key: until.value }
  return O.isSome(until) && until.value < after.value.key
    ? { kind: 'key', key: until.value }
    : { kind: 'after', place: after.value }
}

/** The start as a condition on the order's two columns, which an index on them answers by one seek. */
export const startConditions = <K extends string | number>(
  column: string,
  start: Start<K>,
): ReadonlyArray<Condition> => {
  switch (start.kind) {
    case 'top':
      return []
    case 'key':
      return [condition(`${column} <= ?`, start.key)]
    case 'at':
      return [condition(`(${column}, id) <= (?, ?)`, start.place.key, start.place.id)]
    case 'after':
      return [condition(`(${column}, id) < (?, ?)`, start.place.key, start.place.id)]
  }
}
