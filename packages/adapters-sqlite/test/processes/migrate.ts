import { MIGRATIONS, makeMigrator } from '@almoner/adapters-kysely'
import { done } from '@almoner/domain/contracts'
import { openSqlite } from '../../src/index.ts'
import { clock } from '../store-of.ts'

// Migrates a file and prints the names of what it applied. Usage: node migrate.ts FILE
const [, , file = ''] = process.argv
const engine = await done(openSqlite({ file }))
const applied = await done(makeMigrator(engine, clock, MIGRATIONS).migrate())
await engine.close()
process.stdout.write(JSON.stringify(applied))
