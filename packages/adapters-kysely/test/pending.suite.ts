import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { pendingMigrations } from '../src/schema/migrations/pending.ts'

const mark = (name: string, checksum = 'same') => ({ name, checksum })
const [one, two, three] = [mark('0001'), mark('0002'), mark('0003')]

t.test('what is pending is what follows the applied ones', async (t) => {
  t.strictSame(pendingMigrations([one, two, three], []), E.right([one, two, three]))
  t.strictSame(pendingMigrations([one, two, three], [one]), E.right([two, three]))
  t.strictSame(pendingMigrations([one], [one]), E.right([]))
})

t.test('a history that is not this program’s is refused by the migration that tells', async (t) => {
  t.strictSame(
    pendingMigrations([one, two], [one, mark('0002', 'other')]),
    E.left({ _tag: 'MigrationChanged', name: '0002' }),
  )
  t.strictSame(pendingMigrations([one], [one, two]), E.left({ _tag: 'MigrationUnknown', name: '0002' }))
  t.strictSame(
    pendingMigrations([one, two, three], [one, three]),
    E.left({ _tag: 'MigrationSkipped', name: '0002' }),
  )
})
