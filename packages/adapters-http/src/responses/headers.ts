import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ItemId } from '@almoner/domain'
import type { ItemCore, Precondition } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import fresh from 'fresh'

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
 * Returns the strong ETag of an item: the same after a restart, and another one as soon as anything in the response differs (C10).
 * @param written the item as JSON: the URLs of its images may change while its revision does not (D3)
 */
export const etagOf = ({ id, revision }: Pick<ItemCore, 'id' | 'revision'>, written: string): string =>
  `"${id}.${revision}.${hash('sha256', written, 'base64url').slice(0, 8)}"`

/** Matches what follows the id in a tag of {@link etagOf}: the revision and the digest. */
const VERSION = /^\.(\d{1,15})\.[\w-]{8}/

const revisionIn = (tag: string, id: ItemId): ReadonlyArray<number> => {
  const [version, revision] = (tag.startsWith(id) && VERSION.exec(tag.slice(id.length))) || []
  return version !== undefined && isTag(tag, `${id}${version}`) ? [Number(revision)] : []
}

/**
 * Returns the revisions that an `If-Match` allows to be overwritten; none when it is `*`. Tags of other items never
 * match. Only the revision counts, not the digest (C13).
 */
export const preconditionOf = (header: string, id: unknown): Precondition => {
  if (header.trim() === '*') return O.none
  return O.some(new Set(ItemId.is(id) ? listedTags(header).flatMap((tag) => revisionIn(tag, id)) : []))
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

/** Returns whether the caller has this version already: 304 instead of 200 (RFC 9110 §13.2.2, C13). */
export const isFresh = (headers: IncomingHttpHeaders, version: Version): boolean => {
  const sent = headers['if-none-match']
  const isOwn = sent !== undefined && isNamed(sent, version.etag)
  return fresh(isOwn ? { ...headers, 'if-none-match': version.etag } : headers, version)
}
