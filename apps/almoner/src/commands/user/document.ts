import type { User } from '@almoner/domain'
import { table } from '../../cli/table.ts'

/** A user as JSON. */
export const userDocument = ({ email, lang, subscribed }: User) => ({ email, lang, subscribed })

const row = ({ email, lang, subscribed }: User): ReadonlyArray<string> => [lang, String(subscribed), email]

/** Users as a table. No cell before the last is wider than its head, so that tables of several parts fit together. */
export const userTable = (users: ReadonlyArray<User>): string =>
  table(['LANG', 'SUBSCRIBED', 'EMAIL'], users.map(row))
