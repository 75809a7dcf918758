import { type Email, LANGUAGES, type User } from '@almoner/domain'
import { inLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { flag } from '../../schema/columns.ts'
import { pinRecipients } from '../deliveries/pin-recipients.ts'
import { presentEpoch } from '../devices/epoch.ts'

const PREFERENCES = LANGUAGES.flatMap((lang) => [true, false].map((subscribed) => ({ lang, subscribed })))

/** Gives users who are there, and held still, other preferences than they had; their devices repeat them. */
export const rewriteUsers = async (db: Db, users: ReadonlyArray<User>): Promise<void> => {
  const epoch = await presentEpoch(db)
  await pinRecipients(db, { by: 'device.email', values: users.map(({ email }) => email) })
  const write = async (emails: ReadonlyArray<Email>, preference: (typeof PREFERENCES)[number]) => {
    const columns = { lang: preference.lang, subscribed: flag(preference.subscribed) }
    await db.updateTable('person').set(columns).where('email', 'in', emails).execute()
    await db
      .updateTable('device')
      .set({ ...columns, epoch })
      .where('email', 'in', emails)
      .execute()
  }
  for (const preference of PREFERENCES) {
    const theirs = users.filter(
      ({ lang, subscribed }) => lang === preference.lang && subscribed === preference.subscribed,
    )
    for (const list of inLists(theirs.map(({ email }) => email))) await write(list, preference)
  }
}
