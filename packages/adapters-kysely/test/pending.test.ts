import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { pendingMigrations } from '../src/schema/migrations/migrator.ts'

const [one, two, three] = [{ name: '0001' }, { name: '0002' }, { name: '0003' }]

t.test('pending migrations are those after the applied ones', async (t) => {
  t.strictSame(pendingMigrations([one, two, three], []), E.right([one, two, three]))
  t.strictSame(pendingMigrations([one, two, three], ['0001']), E.right([two, three]))
  t.strictSame(pendingMigrations([one], ['0001']), E.right([]))
})

t.test('a migration rejects the history of another program', async (t) => {
  t.strictSame(pendingMigrations([one], ['0001', '0002']), E.left({ _tag: 'MigrationUnknown', name: '0002' }))
  t.strictSame(
    pendingMigrations([one, two, three], ['0001', '0003']),
    E.left({ _tag: 'MigrationSkipped', name: '0002' }),
  )
})
