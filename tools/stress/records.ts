// Compares the posts of a stopped service with their records of changes and with the index of their words (K1, J2).
import type { DatabaseSync } from 'node:sqlite'
import { searchTextOf } from '@almoner/domain/library'
import type { ItemDescription, ItemTitle } from '@almoner/domain/values'
import { check } from './campaign.ts'

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

const TERMS =
  "select item_id, group_concat(term, ' ') as terms from feed_terms join feed_search on position = doc group by item_id"

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

const checkWords = (post: Post, labels: ReadonlyArray<string>, terms: ReadonlyArray<string>): void => {
  const words = searchTextOf(post)
  check(post.words === words, `${post.id}: the index has other words`)
  const tags = labels.map((label) => `_${Buffer.from(label).toString('hex')}`)
  const expected = [...new Set([...words.split(' ').filter((word) => word !== ''), ...tags])].sort()
  check(textOf(terms) === textOf(expected), `${post.id}: the index has the terms ${textOf(terms)}`)
}

/** Checks that each change has its record and each record its change, and that the index has the words of each post. Returns the records. */
export const checkRecords = (db: DatabaseSync): number => {
  const posts = db.prepare(POSTS).all() as unknown as ReadonlyArray<Post>
  const [{ count: all }] = db.prepare('select count(*) as count from feed_item').all() as [{ count: number }]
  check(posts.length === all, `${all - posts.length} posts are not in the index`)
  const records = db.prepare(RECORDS)
  const labelled = db.prepare('select label_id from feed_label where item_id = ?')
  const indexed = new Map(
    db
      .prepare(TERMS)
      .all()
      .map(({ item_id, terms }) => [item_id, String(terms).split(' ').sort()]),
  )
  let seen = 0
  for (const post of posts) {
    const own = records.all(post.id) as unknown as ReadonlyArray<Stored>
    const labels = labelled.all(post.id).map(({ label_id }) => String(label_id))
    const attached = own.filter(({ action }) => action === 'attach-label').length
    check(attached === labels.length, `${post.id}: ${labels.length} labels have ${attached} records`)
    checkRevisions(post, own)
    checkWords(post, labels, indexed.get(post.id) ?? [])
    seen += own.length
  }
  const [{ count }] = db
    .prepare("select count(*) as count from audit_record where subject_kind = 'feed'")
    .all() as [{ count: number }]
  check(count === seen, `${count - seen} records have no post`)
  return seen
}
