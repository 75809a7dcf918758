import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import type { AuditCursor, AuditQuery } from '@almoner/domain/history'
import { done, SAMPLE_MOMENT } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { spiedDatabase } from './spied-database.ts'
import { databaseOf } from './store-of.ts'

const ANY: AuditQuery = { since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none }

t.test('C11, K4: a page of the audit is read by an index in its order', async (t) => {
  const engine = await databaseOf(join(t.testdir(), 'almoner.db'))
  const { database, plans } = spiedDatabase(engine)
  const { history } = makeStore(database)
  const times = { since: O.some(SAMPLE_MOMENT), until: O.some(SAMPLE_MOMENT) }
  const queries: ReadonlyArray<Partial<AuditQuery>> = [
    {},
    times,
    { ...times, actor: O.some('app') },
    { action: O.some('update') },
    { ...times, action: O.some('update'), actor: O.some('app') },
  ]
  const after = O.some<AuditCursor>({ at: SAMPLE_MOMENT, id: 7 })
  for (const query of queries)
    for (const place of [O.none, after])
      await done(history.audit({ ...ANY, ...query }, { lim: O.some(20), offset: 0, after: place }))
  const inOrder = await plans()
  t.equal(inOrder.length, 2 * queries.length)
  for (const { text, steps } of inOrder) {
    // The page of everything walks along the index from its end.
    for (const step of steps) t.notMatch(step, /^SCAN (?!audit_record USING INDEX)|TEMP B-TREE/, text)
  }
  const ofSubject = { ...ANY, subject: O.some('x') }
  const first = { lim: O.some(20), offset: 0, after: O.none }
  const bySubject = { steps: [/^SEARCH audit_record USING INDEX audit_record_subject/, /TEMP/] }
  await done(history.audit(ofSubject, first))
  await done(history.audit({ ...ofSubject, actor: O.some('app'), action: O.some('update') }, first))
  t.match(await plans(), [bySubject, bySubject])
  await engine.close()
})
