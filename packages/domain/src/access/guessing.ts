import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Instant, instant } from '../values/time.ts'
import { isRecentFailure, lockedUntil, remember, SOURCES, type Source } from './model.ts'
import type { AccessPorts, FailedAttempts } from './ports.ts'

/** Returns the two 16-bit groups of an IPv4 address; none if the text is no such address. */
const pairOf = (text: string): ReadonlyArray<number> => {
  if (!/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text)) return [Number.NaN]
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
  return Math.max(a, b, c, d) > 255 ? [Number.NaN] : [a * 256 + b, c * 256 + d]
}

/** Returns the 16-bit groups of a part of an IPv6 address; an IPv4 address at the end of `isLast` stands for two. */
const groupsOf = (part: string, isLast: boolean): ReadonlyArray<number> =>
  part === ''
    ? []
    : part.split(':').flatMap((group, at, { length }) => {
        if (/^[0-9a-f]{1,4}$/i.test(group)) return [Number.parseInt(group, 16)]
        return isLast && at === length - 1 ? pairOf(group) : [Number.NaN]
      })

/** The first six groups of an IPv6 address that stands for an IPv4 one, as `::ffff:192.0.2.1` does (RFC 4291 §2.5.5.2). */
const MAPPED = [0, 0, 0, 0, 0, 0xffff]

/**
 * The first six groups of all IPv6 addresses that stand for IPv4 ones: {@link MAPPED}, and those which translators write in front of networks
 * without IPv4 (RFC 6052 §2.1, RFC 2765 §2.1).
 */
const EMBEDDING: ReadonlySet<string> = new Set([
  MAPPED.join(),
  [0x64, 0xff9b, 0, 0, 0, 0].join(),
  [0, 0, 0, 0, 0xffff, 0].join(),
])

/** Returns the eight groups of an address, with the zeros that `::` stands for; undefined if the text is no address. */
const expand = (address: string): ReadonlyArray<number> | undefined => {
  const isOfFour = !address.includes(':')
  const [head = '', tail, more] = address.split('::')
  const [before, after] = isOfFour
    ? [MAPPED, pairOf(address)]
    : [groupsOf(head, tail === undefined), groupsOf(tail ?? '', true)]
  const zeros = tail === undefined ? 0 : Math.max(8 - before.length - after.length, 1)
  const groups = [...before, ...Array<number>(zeros).fill(0), ...after]
  return more === undefined && groups.length === 8 && !groups.some(Number.isNaN) ? groups : undefined
}

/** Returns the texts of which one is the address, if any: a port at the end may also be a group of an IPv6 address. */
const candidatesIn = (text: string): ReadonlyArray<string> => {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  return inBrackets === undefined ? [text, text.replace(/:\d{1,5}$/, '')] : [inBrackets]
}

/**
 * Returns the IP address in a text, plain: proxies add a port, brackets, quotes or a zone, as in `192.0.2.1:4711` and
 * `"[2001:db8::1]:4711"`. Undefined if there is none.
 */
export const addressIn = (text: string): string | undefined =>
  candidatesIn(text.trim().replace(/^"([^"]*)"$/, '$1'))
    .map((candidate) => candidate.replace(/%.*$/, ''))
    .find((candidate) => expand(candidate) !== undefined)

/** The most elements of a field that are read: no request passes as many proxies. */
const MOST_HOPS = 50

/**
 * Returns an `X-Forwarded-For` field with plain addresses: those from the last element back to one that is none, such as `unknown`. The
 * proxy that wrote that element is the furthest known sender.
 */
export const plainForwardedFor = (field: string): string => {
  const elements = field.split(',').slice(-MOST_HOPS)
  const addresses = elements.filter((element) => element.trim() !== '').map(addressIn)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
}

/**
 * Returns the network that failed attempts of an address are counted by (A8): an IPv4 address itself, written as IPv6 or not, and the
 * first 64 bits of an IPv6 address, as one subscriber has at least those. The address may have the forms of {@link addressIn}. Returns a
 * text that is no address as it is.
 */
export const networkOf = (address: string): string => {
  // A plain IPv4 address is its own network.
  if (!pairOf(address).some(Number.isNaN)) return address
  const plain = addressIn(address)
  const groups = plain === undefined ? undefined : expand(plain)
  if (groups === undefined) return address
  const [high = 0, low = 0] = groups.slice(6)
  if (EMBEDDING.has(groups.slice(0, 6).join())) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** Too many wrong credentials came from there; it may try again at `until` (A8). */
export interface TooManyAttempts {
  readonly _tag: 'TooManyAttempts'
  readonly until: Instant
}

/** The keys by which the failures of an attempt are counted (A8). */
export type AttemptKeys = Readonly<Record<Source, string>>

type AttemptsNeeds = 'clock' | 'failedAttempts'

/** Rejects an attempt from a blocked source, even with the right credentials (A8). */
export const unlessLocked = (
  { clock, failedAttempts }: Pick<AccessPorts, AttemptsNeeds>,
  keys: AttemptKeys,
): E.Either<TooManyAttempts, void> => {
  const now = clock.now()
  const until = SOURCES.map((source) =>
    lockedUntil(source, failedAttempts.of(source, keys[source], now), now),
  )
  const [first, ...rest] = RA.compact(until)
  return first === undefined
    ? E.right(undefined)
    : E.left({ _tag: 'TooManyAttempts', until: instant(Math.max(first, ...rest)) })
}

/** Counts a failed attempt (A8). @param sources by what it counts */
export const noteFailure = (
  { clock, failedAttempts }: Pick<AccessPorts, AttemptsNeeds>,
  keys: AttemptKeys,
  sources: ReadonlyArray<Source> = SOURCES,
): void => {
  const now = clock.now()
  for (const source of sources) failedAttempts.add(source, keys[source], now)
}

/** Maximum number of keys; beyond it the keys that failed longest ago are dropped first. */
const CAPACITY = 20_000

/** Failed attempts in this process. Servers use this adapter too, because a restart loses only the last minute. */
export const memoryFailedAttempts = (capacity = CAPACITY): FailedAttempts => {
  const failures = new Map<string, ReadonlyArray<Instant>>()
  return {
    of: (source, key, now) => {
      const name = `${source} ${key}`
      const noted = failures.get(name) ?? []
      const recent = noted.filter((moment) => isRecentFailure(moment, now))
      if (noted.every((moment) => moment <= now)) return recent
      // The clock was set back: they count from now on or not at all, so that they hold for no longer than a minute (I9).
      const moved = recent.map((moment) => instant(Math.min(moment, now)))
      failures.set(name, moved)
      return moved
    },
    add: (source, key, now) => {
      const name = `${source} ${key}`
      const all = remember(source, failures.get(name) ?? [], now)
      // Deleting first moves the key to the end of the map; the oldest keys at the front are dropped first.
      failures.delete(name)
      failures.set(name, all)
      for (const oldest of failures.keys()) {
        if (failures.size <= capacity) break
        failures.delete(oldest)
      }
    },
  }
}
