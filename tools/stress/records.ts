// Compares the posts of a stopped service with their records of changes and with the index of their words (K1, J2).

import { searchTextOf } from '@almoner/domain/content'
import type { ItemDescription, ItemTitle } from '@almoner/domain/values'
import { queryCache } from '../../packages/adapters-kysely/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { check } from './campaign.ts'
import type { OwnEngine } from './database.ts'

interface Post {
  readonly id: string
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly status: string
  readonly revision: number
  readonly words: string
}

interface Stored {
  readonly number: number | null
  readonly action: string
  readonly is_latest: number
  readonly state: string | null
}

const POSTS =
  'select feed_item.id, title, description, status, revision, words from feed_item join feed_search on item_id = id'
const RECORDS = `select number, action, is_latest, state from audit_record
  where subject_kind = 'feed' and subject_id = ? order by id`

/** The indexed terms of each post, sorted and joined by blanks. SQLite indexes labels beside the words. */
const TERMS = {
  sqlite:
    "select item_id, group_concat(term, ' ') as terms from feed_terms join feed_search on position = doc group by item_id",
  postgres: "select item_id, array_to_string(tsvector_to_array(lexemes), ' ') as terms from feed_search",
}

const textOf = (value: unknown): string => JSON.stringify(value)

/** Each write of the campaign changes a field, so the numbers of the records are those of all revisions. */
const checkRevisions = (post: Post, records: ReadonlyArray<Stored>): void => {
  const revisions = records.filter(({ number }) => number !== null)
  const numbers = Array.from({ length: post.revision }, (_, n) => n + 1)
  const found = textOf(revisions.map(({ number }) => number))
  check(found === textOf(numbers), `${post.id}: revision ${post.revision} has the records ${found}`)
  const latest = revisions.filter(({ is_latest }) => is_latest === 1)
  check(latest.length === 1 && latest[0] === revisions.at(-1), `${post.id}: the latest record is not marked`)
  const state = JSON.parse(latest[0]?.state ?? '{}') as { itemTitle?: string; status?: string }
  const isSame = state.itemTitle === post.title && state.status === post.status
  check(isSame, `${post.id}: the record of the latest revision has another state`)
}

const checkWords = (post: Post, tags: ReadonlyArray<string>, terms: ReadonlyArray<string>): void => {
  const words = searchTextOf(post)
  check(post.words === words, `${post.id}: the index has other words`)
  const expected = [...new Set([...words.split(' ').filter((word) => word !== ''), ...tags])].sort()
  check(textOf(terms) === textOf(expected), `${post.id}: the index has the terms ${textOf(terms)}`)
}

const run = queryCache()

/** Checks that each change has its record and each record its change, and that the index has the words of each post. Returns the records. */
export const checkRecords = async (engine: OwnEngine, kind: keyof typeof TERMS): Promise<number> => {
  const rows = <A extends object>(text: string, ...values: ReadonlyArray<string>) =>
    done(engine.read((db) => run(db, text, values))) as Promise<ReadonlyArray<A>>
  const count = async (from: string): Promise<number> => {
    const [row] = await rows<{ all: number | string }>(`select count(*) as "all" from ${from}`)
    return Number(row?.all)
  }
  const posts = await rows<Post>(POSTS)
  const all = await count('feed_item')
  check(posts.length === all, `${all - posts.length} posts are not in the index`)
  const indexed = new Map(
    (await rows<{ item_id: string; terms: string }>(TERMS[kind])).map(({ item_id, terms }) => [
      item_id,
      terms.split(' ').sort(),
    ]),
  )
  let seen = 0
  for (const post of posts) {
    const own = await rows<Stored>(RECORDS, post.id)
    const labels = await rows<{ label_id: string }>(
      'select label_id from feed_label where item_id = ?',
      post.id,
    )
    const attached = own.filter(({ action }) => action === 'attach-label').length
    check(attached === labels.length, `${post.id}: ${labels.length} labels have ${attached} records`)
    checkRevisions(post, own)
    const tags = labels.map(({ label_id }) => `_${Buffer.from(label_id).toString('hex')}`)
    checkWords(post, kind === 'sqlite' ? tags : [], indexed.get(post.id) ?? [])
    seen += own.length
  }
  const records = await count("audit_record where subject_kind = 'feed'")
  check(records === seen, `${records - seen} records have no post`)
  return seen
}
