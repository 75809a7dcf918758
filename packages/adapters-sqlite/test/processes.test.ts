import { join } from 'node:path'
import { MIGRATIONS } from '@almoner/adapters-kysely'
import { collect, WHOLE_COLLECTION } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { run } from './processes/run.ts'
import { storeOf } from './store-of.ts'

t.test('of two processes that migrate at once, one applies each migration', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const printed = await Promise.all([run('migrate.ts', file), run('migrate.ts', file)])
  const applied = printed.flatMap((names) => JSON.parse(names) as ReadonlyArray<string>)
  t.strictSame(
    applied,
    MIGRATIONS.map(({ name }) => name),
  )
})

t.test('concurrent writes of several processes to one file lose nothing', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  await Promise.all([run('write-items.ts', file, '0', '150'), run('write-items.ts', file, '1000', '150')])
  const store = await storeOf(file)
  const query = { visibility: { kind: 'everything' as const }, lang: O.none, kind: O.none }
  const items = await collect(await done(store.feedItems.list(query, WHOLE_COLLECTION)))
  await store.close()
  t.equal(items.length, 300)
})
