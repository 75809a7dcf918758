import type { DeskCounts } from '@almoner/domain/operations'
import type { Language } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../database/database.ts'

/** Counts Live publications in one language without a Live counterpart in the other. */
const lackingBeside = async (db: Db, lang: Language): Promise<number> => {
  const [own, other] = lang === 'en' ? (['en_id', 'fr_id'] as const) : (['fr_id', 'en_id'] as const)
  const { count } = await db
    .selectFrom('library_item as item')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('item.status', '=', 'Live')
    .where('item.lang', '=', lang)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('translation')
            .innerJoin('library_item as counterpart', 'counterpart.id', `translation.${other}`)
            .select('counterpart.id')
            .whereRef(`translation.${own}`, '=', 'item.id')
            .where('counterpart.status', '=', 'Live'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return count
}

/** Counts Live translations whose original, which has the smaller id, is Live and has changed later. */
const outdated = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('translation')
    .innerJoin('library_item as en', 'en.id', 'translation.en_id')
    .innerJoin('library_item as fr', 'fr.id', 'translation.fr_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('en.status', '=', 'Live')
    .where('fr.status', '=', 'Live')
    .where(({ and, or, eb }) =>
      or([
        and([eb('en.id', '<', eb.ref('fr.id')), eb('fr.updated_at', '<', eb.ref('en.updated_at'))]),
        and([eb('fr.id', '<', eb.ref('en.id')), eb('en.updated_at', '<', eb.ref('fr.updated_at'))]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return count
}

/** Counts what waits for content managers, as `countDesk` does. */
export const countsOfDesk = async (db: Db): Promise<DeskCounts> => {
  const { waiting, oldest } = await db
    .selectFrom('feed_item')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
    .where('status', '=', 'Draft')
    .executeTakeFirstOrThrow()
  return {
    waiting,
    oldestWaiting: O.fromNullable(oldest),
    lacking: { en: await lackingBeside(db, 'fr'), fr: await lackingBeside(db, 'en') },
    older: await outdated(db),
  }
}
