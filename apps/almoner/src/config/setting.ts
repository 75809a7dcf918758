import * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Parse, rule } from '../composition/node.ts'

/** A setting, which operators set by an environment variable. */
export interface Setting<A> {
  readonly name: `ALMONER_${string}`
  /** The default as help and docs show it, for a variable that is not set or empty. */
  readonly default: string
  /** What it does and which values it accepts, in a sentence or two. */
  readonly doc: string
  readonly parse: Parse<A>
  readonly unset: A
}

/** Makes a setting whose default could also be set. */
export const setting = <A>(
  name: Setting<A>['name'],
  fallback: string,
  parse: Parse<A>,
  doc: string,
): Setting<A> => {
  const unset = parse(fallback)
  if (E.isLeft(unset)) throw new TypeError(`the default of ${name} ${unset.left}`)
  return { name, default: fallback, doc, parse, unset: unset.right }
}

/** Makes a setting that has no value when it is not set. `shown` stands in the place of a default. */
export const optional = <A>(
  name: Setting<A>['name'],
  shown: string,
  parse: Parse<A>,
  doc: string,
): Setting<O.Option<A>> => ({
  name,
  default: shown,
  doc,
  parse: flow(parse, E.map(O.some)),
  unset: O.none,
})

/** A span of years, as `2015-2018`, both included, or one year. */
export const years = rule('must be a year or two, as 2015-2018, the first not after the last', (text) => {
  const [, first = '', last = first] = /^(\d{4})(?:-(\d{4}))?$/.exec(text) ?? []
  return first !== '' && first <= last ? { first: Number(first), last: Number(last) } : undefined
})

/** Connections for requests and for streams, as `8,8`. */
export const poolSize = rule('must be two whole numbers from 1 to 500 with a comma, as 8,8', (text) => {
  const [requests = 0, streams = 0] = /^\d{1,3},\d{1,3}$/.test(text) ? text.split(',').map(Number) : []
  const isSize = Math.min(requests, streams) > 0 && Math.max(requests, streams) <= 500
  return isSize ? { requests, streams } : undefined
})

/** How many requests may wait for changes, of an address and in all, as `1000,10000`. */
export const waits = rule(
  'must be two whole numbers up to 1000000 with a comma, the first not above the second, as 1000,10000',
  (text) => {
    const [ofAddress = -1, total = -1] = /^\d{1,7},\d{1,7}$/.test(text) ? text.split(',').map(Number) : []
    return ofAddress >= 0 && ofAddress <= total && total <= 1_000_000 ? { ofAddress, total } : undefined
  },
)

/** Requests a minute, as `600/min`. */
export const rate = rule('must be of the form 600/min', (text) => {
  const [, count] = /^(\d{1,9})\/min$/.exec(text) ?? []
  return Number(count) > 0 ? Number(count) : undefined
})
