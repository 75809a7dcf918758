import { searchTextOf } from '@almoner/domain/content'
import { linked } from '@almoner/domain/media'
import type { ItemDescription, ItemId, ItemTitle, LabelId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type { Database } from '../../packages/adapters-kysely/src/index.ts'
import { libraryTable } from '../../packages/adapters-kysely/src/content/tables.ts'
import {
  done,
  sampleDay,
  sampleId,
  sampleLibraryItem,
  seeded,
} from '../../packages/testkit/src/contracts/index.ts'

/** Distinct words, of which the n-th occurs in proportion to 1 / (n + 3), as in texts of people. */
const VOCABULARY = 20_000
const [TITLE, DESCRIPTION] = [6, 40]
const TRANSACTION = 20_000
const LABELS = 20

const SYLLABLES = [
  'ba',
  'co',
  'di',
  'fé',
  'gu',
  'la',
  'mi',
  'no',
  'pre',
  'ri',
  'sa',
  'té',
  'vo',
  'ze',
  'tion',
]

const wordOf = (n: number): string => {
  const chance = seeded(n + 1)
  const length = 2 + chance(3)
  const parts = Array.from({ length }, () => SYLLABLES[chance(SYLLABLES.length)])
  return `${parts.join('')}${n % 7 === 0 ? n : ''}`
}

/** The words of the dataset, the most frequent first. */
export const WORDS: ReadonlyArray<string> = Array.from({ length: VOCABULARY }, (_, n) => wordOf(n))

const cumulated: ReadonlyArray<number> = WORDS.reduce<Array<number>>((sums, _, n) => {
  sums.push((sums.at(-1) ?? 0) + 1 / (n + 3))
  return sums
}, [])

/** Makes texts whose words are as frequent as those of people's texts. */
export const makeTexts = (seed: number) => {
  const chance = seeded(seed)
  const total = cumulated.at(-1) ?? 0
  const word = (): string => {
    const at = (chance(2 ** 30) / 2 ** 30) * total
    let [low, high] = [0, WORDS.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulated[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return WORDS[low] ?? ''
  }
  const some = (most: number) => Array.from({ length: most }, word).join(' ')
  return {
    word,
    texts: () => ({ title: some(TITLE) as ItemTitle, description: some(DESCRIPTION) as ItemDescription }),
  }
}

/** Returns the label of item n: the first label has half of the items, the next a quarter, and so on. */
const labelOf = (n: number): LabelId =>
  `label-${Math.min(LABELS - 1, Math.floor(Math.log2(2 ** LABELS / ((n % 2 ** LABELS) + 1))))}` as LabelId

const link = sampleLibraryItem(0).link
const image = { _tag: 'Some', value: linked(link) } as const

/** Fills a database whose schema is current with library items, each with a label, and their search index. */
export const fillFinding = async (database: Database, count: number): Promise<void> => {
  const { texts } = makeTexts(1)
  await done(
    database.write(async (db) => {
      for (let n = 0; n < LABELS; n += 1) {
        const label_id = `label-${n}` as LabelId
        await db
          .insertInto('label')
          .values({ label_id, en: label_id, fr: label_id, rank: n } as never)
          .execute()
      }
      return E.right(undefined)
    }),
  )
  for (let begin = 0; begin < count; begin += TRANSACTION)
    await done(
      database.write(async (db) => {
        for (let n = begin; n < Math.min(count, begin + TRANSACTION); n += 1) {
          const item = {
            ...sampleLibraryItem(n, { ...texts(), publicationDate: sampleDay(Math.floor(n / 270)) }),
            status: n % 5 === 0 ? ('Draft' as const) : ('Live' as const),
            images: { cover: image, notification: image },
          }
          const id: ItemId = sampleId(n)
          await db.insertInto('library_item').values(libraryTable.toRow(item)).execute()
          await db
            .insertInto('library_label')
            .values({ item_id: id, label_id: labelOf(n) })
            .execute()
          await database.dialect.search.replace(db, 'library', {
            id,
            date: item.publicationDate,
            text: searchTextOf(item),
          })
        }
        return E.right(undefined)
      }),
    )
}
