import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { mergedNames } from '../src/schema/migrations/0017-initial.ts'
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

t.test('merged migrations count as their replacement once all of them were applied', async (t) => {
  const old = ['0001-items', '0016-open-values', '0017-no-ranks']
  t.strictSame(mergedNames(old), ['0017-initial'])
  t.strictSame(mergedNames([...old, '0018-more']), ['0017-initial', '0018-more'])
  t.strictSame(mergedNames(['0001-items']), ['0001-items'])
  t.strictSame(mergedNames(['0017-initial', '0018-more']), ['0017-initial', '0018-more'])
})
