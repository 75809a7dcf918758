import { hash } from 'node:crypto'
import { type Expectation, type ItemCore, ItemId } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Tagged } from './route-response.ts'

/** What an item is tagged with, from the item and the JSON that it is written as. */
export const tagOf = ({ id, revision }: Pick<ItemCore, 'id' | 'revision'>, written: string): Tagged => ({
  id,
  revision,
  digest: hash('sha256', written, 'base64url').slice(0, 8),
})

/** The strong ETag of an item: the same after a restart, and another one once anything in the answer differs (C10). */
export const etagOf = ({ id, revision, digest }: Tagged): string => `"${id}.${revision}.${digest}"`

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
 * The revisions that an `If-Match` allows to be overwritten: none when there is no such header or it says `*`. Weak tags never
 * match (RFC 9110 §13.1.1), nor do tags of other items. What is written counts by its revision, not by the addresses of the day.
 */
export const expectationOf = (header: string | undefined, id: unknown): Expectation => {
  if (header === undefined || header.trim() === '*') return O.none
  const strong = sentTags(header).filter(({ weak }) => !weak)
  return O.some(new Set(ItemId.is(id) ? strong.flatMap(({ value }) => revisionIn(value, id)) : []))
}

/** Whether an `If-None-Match` names what would be answered (RFC 9110 §13.1.2). */
export const isUnchanged = (header: string | undefined, tag: Tagged): boolean =>
  header !== undefined &&
  (header.trim() === '*' || sentTags(header).some(({ value }) => `"${value}"` === etagOf(tag)))
