import type { Command } from '../cli/command.ts'
import { failed } from '../failure.ts'

export const vacuum: Command = {
  usage: 'maintenance vacuum',
  summary: 'shrink the SQLite file to its content',
  async run({ service }) {
    const { databaseFile, databaseExists } = service
    if (databaseFile === undefined)
      throw failed('vacuum is for SQLite: PostgreSQL does it by itself (autovacuum)')
    if (!databaseExists()) throw failed('there is no database where ALMONER_DATABASE says')
    const { before, after } = await databaseFile.vacuum()
    return { text: `the database has ${after} bytes, before ${before}`, json: { before, after } }
  },
}
