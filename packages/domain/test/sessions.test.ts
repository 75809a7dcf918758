import { done, MANAGER_NOW, sampleManager, sampleSession } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'

const LIFE = { sessionIdle: 3600, sessionLife: 86_400 }

t.test('I10, M4: a session whose idle end cannot be stored still reads', async (t) => {
  const manager = sampleManager('ada')
  const active = { session: sampleSession(1, manager), manager, number: 1 }
  const later = domain.addMillis(MANAGER_NOW, 10 * domain.MINUTE)
  for (const failure of [domain.unavailable('no writes'), domain.outcomeUnknown('lost')]) {
    const find = domain.makeFindSession(
      {
        clock: { now: () => later },
        secrets: { digest: () => active.session.digest } as never,
        sessions: { find: () => TE.right(O.some(active)), touch: () => TE.left(failure) } as never,
      },
      LIFE,
    )
    t.strictSame(await done(find('secret')), active, failure._tag)
  }
})
