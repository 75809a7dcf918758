import { hash } from 'node:crypto'
import { ItemId } from '@almoner/domain'
import type { ItemCore, Precondition } from '@almoner/domain/library'
import * as O from 'fp-ts/lib/Option.js'

/**
 * Returns the strong ETag of an item: the same after a restart, and another one as soon as anything in the response differs (C10).
 * @param written the item as JSON: the URLs of its images may change while its revision does not (D3)
 */
export const etagOf = ({ id, revision }: Pick<ItemCore, 'id' | 'revision'>, written: string): string =>
  `"${id}.${revision}.${hash('sha256', written, 'base64url').slice(0, 8)}"`

const TAGS = /(W\/)?"([^"]*)"/g

interface SentTag {
  readonly weak: boolean
  readonly value: string
}

const sentTags = (header: string): ReadonlyArray<SentTag> =>
  [...header.matchAll(TAGS)].map(([, weak, value = '']) => ({ weak: weak !== undefined, value }))

const revisionIn = (value: string, id: ItemId): ReadonlyArray<number> => {
  const [revision = ''] = value.startsWith(`${id}.`) ? value.slice(id.length + 1).split('.') : []
  return /^\d{1,15}$/.test(revision) ? [Number(revision)] : []
}

/**
 * Returns the revisions that an `If-Match` allows to be overwritten; none without the header, or when it is `*`. Weak tags never match
 * (RFC 9110 §13.1.1), nor do tags of other items. Only the revision counts, not the digest.
 */
export const preconditionOf = (header: string | undefined, id: unknown): Precondition => {
  if (header === undefined || header.trim() === '*') return O.none
  const strong = sentTags(header).filter(({ weak }) => !weak)
  return O.some(new Set(ItemId.is(id) ? strong.flatMap(({ value }) => revisionIn(value, id)) : []))
}

/** Returns the revision in an ETag of any item; undefined for other texts. */
export const revisionOf = (etag: string): number | undefined => {
  const [revision] = /\.(\d{1,15})\.[^.]*"$/.exec(etag)?.slice(1) ?? []
  return revision === undefined ? undefined : Number(revision)
}

/** Returns whether an `If-None-Match` names an ETag (RFC 9110 §13.1.2). */
export const isUnchanged = (header: string | undefined, etag: string | undefined): boolean =>
  header !== undefined &&
  etag !== undefined &&
  (header === etag || header.trim() === '*' || sentTags(header).some(({ value }) => `"${value}"` === etag))
