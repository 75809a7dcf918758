import { MIGRATIONS, makeMigrator } from '@almoner/adapters-kysely'
import { done } from '@almoner/testkit/contracts'
import { openSqlite } from '../../src/index.ts'
import { clock } from '../store-of.ts'

// Migrates a file and prints the names of what it applied. Usage: node migrate.ts FILE
const [, , file = ''] = process.argv
const database = await done(openSqlite({ file }))
const applied = await done(makeMigrator(database, clock, MIGRATIONS).migrate())
await database.close()
process.stdout.write(JSON.stringify(applied))
