import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ResultSet } from '@almoner/domain'
import type { StoredResponse } from '@almoner/domain/access'
import type { Precondition } from '@almoner/domain/content'
import { RepeatableBatches } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import fresh from 'fresh'

/**
 * Copies a text or a small buffer out of Node's pool. Node cuts small buffers out of slabs of 64 KB, and a slab stays in memory as long as
 * any of them: a cached buffer among many short-lived ones would hold sixty times its size.
 */
export const copyOutOfPool = (body: string | Buffer): Buffer => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.byteLength)
  bytes.copy(own)
  return own
}

/** The version that responses carry (I2). */
export const API_VERSION = '1'

/**
 * Header fields that keep browsers from making more of a response than data: its type is what it says, no other page may frame, open or
 * read it, and it loads and runs nothing. Strict-Transport-Security is left to the proxy that terminates TLS.
 *
 * A 304 of an item has none: the browser reuses the stored response with its header fields (RFC 9111 §3.2).
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

/** The header field with the number of items in a whole collection (J5). */
export const TOTAL_COUNT = 'x-total-count'

/** Returns 96 bits of a digest, as tags have them. */
const digestOf = (data: string | Buffer): string => hash('sha256', data, 'base64url').slice(0, 16)

/** What proxies that compress a response append to its tag: Apache, nginx modules and Jetty (C13). */
const CODINGS = ['-gzip', '-br', '-zstd', '--gzip', ';gzip'] as const

/** Matches one element of a list of tags, with the comma after it; a list may have empty elements (RFC 9110 §5.6.1, §8.8.3). */
const ELEMENT = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y

/**
 * Returns the tags that a header field lists, without quotes and `W/`: a proxy that compresses makes a tag weak, and ours name revisions,
 * not bytes (C13). None if the field is no list of tags.
 */
const listedTags = (field: string): ReadonlyArray<string> => {
  const tags: Array<string> = []
  ELEMENT.lastIndex = 0
  while (ELEMENT.lastIndex < field.length) {
    const element = ELEMENT.exec(field)
    if (element === null) return []
    if (element[1] !== undefined) tags.push(element[1])
  }
  return tags
}

/** Returns whether a listed tag is one of ours, as sent or as a proxy has changed it. Never cuts an ending off: a digest may end like one. */
const isTag = (listed: string, own: string): boolean =>
  listed === own || (listed.startsWith(own) && CODINGS.some((coding) => listed === `${own}${coding}`))

/**
 * Returns the strong ETag of an item or a notification: the same after a restart, and another one as soon as anything in the response differs (C10).
 * @param written the item as JSON: the URLs of its images may change while its revision does not (D3)
 */
export const etagOf = (
  { id, revision }: { readonly id: string; readonly revision: number },
  written: string,
): string => `"${id}.${revision}.${hash('sha256', written, 'base64url').slice(0, 8)}"`

/** Returns the strong ETag of a response: a digest of its body and of the fields `Link` and `X-Total-Count` (C14). */
export const digestTag = (
  body: string | Buffer,
  { link = '', [TOTAL_COUNT]: total = '' }: Readonly<Record<string, string>> = {},
): string => `"${digestOf(body)}${link === '' && total === '' ? '' : `.${digestOf(`${link} ${total}`)}`}"`

/** Matches what follows the id in a tag of {@link etagOf}: the revision and the digest. */
const VERSION = /^\.(\d{1,15})\.[\w-]{8}/

const revisionIn = (tag: string, id: string): ReadonlyArray<number> => {
  const [version, revision] = (tag.startsWith(id) && VERSION.exec(tag.slice(id.length))) || []
  return version !== undefined && isTag(tag, `${id}${version}`) ? [Number(revision)] : []
}

/**
 * Returns the revisions that an `If-Match` allows to be overwritten; none when it is `*`. Tags of other items never
 * match. Only the revision counts, not the digest (C13).
 */
export const preconditionOf = (header: string, id: unknown): Precondition => {
  if (header.trim() === '*') return O.none
  return O.some(
    new Set(typeof id === 'string' ? listedTags(header).flatMap((tag) => revisionIn(tag, id)) : []),
  )
}

/** Returns the revision in an ETag of any item, as sent or as a proxy has changed it; undefined for other texts. */
export const revisionOf = (etag: string): number | undefined => {
  const [revision] = /\.(\d{1,15})\.[^.]*"$/.exec(etag)?.slice(1) ?? []
  return revision === undefined ? undefined : Number(revision)
}

/** Returns whether a condition (`If-Match`, `If-None-Match`) names an ETag, strong or weak, or any (RFC 9110 §13.1, C13). */
export const isNamed = (header: string, etag: string | undefined): boolean => {
  if (etag === undefined) return false
  if (header === etag || header.trim() === '*') return true
  const [own] = listedTags(etag)
  return own !== undefined && listedTags(header).some((listed) => isTag(listed, own))
}

/** The header fields that identify a version of a file or page. */
export type Version = Readonly<Record<'etag', string> & Partial<Record<'last-modified', string>>>

/**
 * Returns whether the caller has this version already: 304 instead of 200 (RFC 9110 §13.2.2, C13). `Cache-Control` of a request speaks to
 * caches alone, and `fetch` of Node sends `no-cache` with each condition (C14).
 */
export const isFresh = (
  { 'cache-control': _, ...headers }: IncomingHttpHeaders,
  version: Version,
): boolean => {
  const sent = headers['if-none-match']
  const isOwn = sent !== undefined && isNamed(sent, version.etag)
  return fresh(isOwn ? { ...headers, 'if-none-match': version.etag } : headers, version)
}

/** One page of a collection on its way out. */
export interface Collection {
  /** The text before the items, as `{"items":[`. */
  readonly open: string
  /** Batches of items, each already JSON. */
  readonly batches: () => AsyncIterable<ReadonlyArray<string>>
  /** Whether batches that broke off may be read again. */
  readonly isRepeatable: boolean
  /** Returns all of it, if all items are loaded. */
  readonly whole: (() => Buffer) | undefined
  /** The cursor of the next page, as the value of `after` (C11). */
  readonly next: string | undefined
  /** The number of items in the whole collection, if it was counted (J5). */
  readonly total: number | undefined
}

/** A response in one piece. */
export interface JsonResponse {
  readonly kind: 'json'
  /** It is JSON already. */
  readonly text: string
  readonly etag?: string
  /** The parameter of the next page, and its value. */
  readonly next?: readonly [parameter: string, cursor: string]
  readonly headers?: Readonly<Record<string, string>>
}

/** The response that a route returns. How it is sent does not depend on the route. */
export type RouteResponse =
  | JsonResponse
  | { readonly kind: 'collection'; readonly collection: Collection }
  | { readonly kind: 'empty' }
  /** A file that is made while it is sent. */
  | {
      readonly kind: 'file'
      readonly headers: Readonly<Record<string, string>>
      readonly pieces: () => AsyncGenerator<Uint8Array>
    }
  /** The response to the first request with the same key (I4). */
  | { readonly kind: 'stored'; readonly response: StoredResponse }

export const EMPTY: RouteResponse = { kind: 'empty' }

export const json = (body: unknown): RouteResponse => ({ kind: 'json', text: JSON.stringify(body) })

/** The type of every response that has a body. */
export const JSON_CONTENT = 'application/json; charset=utf-8'

/** How a collection is written: the key that it is under, each element, and the cursor of its next page. */
export interface CollectionForm<A, P> {
  readonly key: string
  /** Returns an element as JSON. */
  readonly text: (element: A) => string
  /** Returns the same as bytes after a comma, where they are cached. */
  readonly bytes?: (element: A) => Buffer
  readonly encodeCursor: (cursor: P) => string
}

async function* texts<A>(batches: AsyncIterable<ReadonlyArray<A>>, text: (element: A) => string) {
  for await (const batch of batches) yield batch.map(text)
}

/** The text after the items of any collection. */
export const CLOSE = ']}'
const CLOSING = Buffer.from(CLOSE)

const together = (opening: string, elements: ReadonlyArray<Buffer>): Buffer => {
  const [first, ...others] = elements
  return first === undefined
    ? Buffer.from(`${opening}${CLOSE}`)
    : Buffer.concat([Buffer.from(opening), first.subarray(1), ...others, CLOSING])
}

/** Returns a collection as it is sent: `{"items":[{"item":…},…]}`, under its own key (C1). */
const collectionOf = <A, P>(
  { batches, loaded, next, total }: ResultSet<A, P>,
  { key, text, bytes = (element) => Buffer.from(`,${text(element)}`), encodeCursor }: CollectionForm<A, P>,
): Collection => ({
  open: `{"${key}":[`,
  whole: loaded && (() => together(`{"${key}":[`, loaded.map(bytes))),
  batches: () => texts(batches, text),
  isRepeatable: batches instanceof RepeatableBatches,
  next: O.isSome(next) ? encodeCursor(next.value) : undefined,
  total,
})

/** Responds with a collection. */
export const many =
  <A, P>(form: CollectionForm<A, P>) =>
  (listing: ResultSet<A, P>): RouteResponse => ({
    kind: 'collection',
    collection: collectionOf(listing, form),
  })

/** Returns a function that writes elements as JSON. */
export const asJson =
  <A>(encode: (element: A) => unknown): ((element: A) => string) =>
  (element) =>
    JSON.stringify(encode(element))

/** Returns the item of a listing of at most one. */
export const firstOf = async <A, P>({ batches, loaded }: ResultSet<A, P>): Promise<A | undefined> => {
  if (loaded !== undefined) return loaded[0]
  for await (const [first] of batches) return first
  return undefined
}
