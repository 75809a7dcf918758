import type { PersonalData } from '@almoner/domain/ports'
import type { Database } from '../../database/database.ts'
import { erasePerson } from './erase.ts'
import { makeFindPerson } from './find.ts'

/** Everything that is stored about people (L1, L2). */
export const makePersonalData = (database: Database): PersonalData => {
  const find = makeFindPerson()
  return {
    erase: (email, now, act) =>
      database.erase((db) => erasePerson(db, email, now, act && { ...act, at: now })),
    find: (email) => database.readSnapshot((db) => find(db, email)),
  }
}
