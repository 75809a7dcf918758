import type { MediaName } from '@almoner/domain/media'
import type { KnownImages } from '@almoner/domain/ports'
import type { Database } from '../../database/database.ts'

/** Names asked for in one statement. */
const CHUNK = 500

/** Which stored images the database knows of (D5). */
export const makeKnownImages = (database: Database): KnownImages => ({
  isEmpty: () =>
    database.read(
      async (db) => (await db.selectFrom('media').select('name').limit(1).executeTakeFirst()) === undefined,
    ),
  among: (names) =>
    database.read(async (db) => {
      const known = new Set<MediaName>()
      for (let at = 0; at < names.length; at += CHUNK) {
        const chunk = names.slice(at, at + CHUNK)
        const rows = await db.selectFrom('media').select('name').where('name', 'in', chunk).execute()
        for (const { name } of rows) known.add(name)
      }
      return known
    }),
})
