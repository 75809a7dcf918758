import type { PersonalData } from '@almoner/domain/ports'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Database, UNBOUNDED } from '../../database/database.ts'
import { quietly } from '../../database/writes.ts'
import { digestOfErased, erasePerson } from './erase.ts'
import { makeFindPerson } from './find.ts'
import { giveNumbers, matchingAddresses, peopleWith, withoutNumber } from './search.ts'

/** Writes only where a person has no number yet. */
const search =
  (database: Database): PersonalData['search'] =>
  (text, most) =>
    pipe(
      database.readSnapshot(async (db) => {
        const emails = await matchingAddresses(db, text, most)
        return { emails, unnumbered: await withoutNumber(db, emails) }
      }, UNBOUNDED),
      TE.tap(({ unnumbered }) =>
        unnumbered.length === 0
          ? TE.right(undefined)
          : quietly(database, (db) => giveNumbers(db, unnumbered)),
      ),
      TE.flatMap(({ emails }) => database.read((db) => peopleWith(db, emails))),
    )

/** Everything that is stored about people (L1, L2). */
export const makePersonalData = (database: Database): PersonalData => {
  const find = makeFindPerson()
  return {
    erase: (email, now, act, by) =>
      database.erase(
        (db) => erasePerson(db, email, now, act && { ...act, at: now }, by),
        digestOfErased(email),
      ),
    find: (email) => database.readSnapshot((db) => find(db, email), UNBOUNDED),
    search: search(database),
    addressOf: (number) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('user_number')
          .select('email')
          .where('id', '=', number)
          .executeTakeFirst()
        return O.fromNullable(row?.email)
      }),
  }
}
