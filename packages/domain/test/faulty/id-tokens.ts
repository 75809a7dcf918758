import { type IdTokenClaims, type SubjectTokenRefused, subjectTokenRefused } from '@almoner/domain/access'
import type { MemoryIdTokens } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Faults } from './faults.ts'

type Verify = MemoryIdTokens['verify']

const withoutSubject = ({ sub: _, ...rest }: IdTokenClaims): IdTokenClaims => rest

/** Accepts tokens that the adapter refuses for this reason. */
const accepting =
  (verify: Verify, reason: SubjectTokenRefused['reason']): Verify =>
  (text) =>
  async () => {
    const result = await verify(text)()
    const isRefused = E.isLeft(result) && result.left._tag === 'SubjectTokenRefused'
    return isRefused && result.left.reason === reason ? E.right({}) : result
  }

/** Refuses tokens whose keys cannot be had. */
const refusing =
  (verify: Verify): Verify =>
  (text) =>
    TE.mapLeft(() => subjectTokenRefused('unknown-key'))(verify(text))

/** Faults of the verification of ID tokens (A10). */
export const ID_TOKEN_FAULTS: Faults<'idTokens'> = {
  idTokens: {
    'loses a claim': [
      'A10: a token of a published key gives its claims',
      ({ verify }) => ({ verify: (text) => TE.map(withoutSubject)(verify(text)) }),
    ],
    'accepts any signature': [
      'A10: a token that another key has signed is refused',
      ({ verify }) => ({ verify: accepting(verify, 'signature') }),
    ],
    'accepts any text': [
      'A10: a text that is no token is refused',
      ({ verify }) => ({ verify: accepting(verify, 'malformed') }),
    ],
    'takes one of several keys': [
      'A10: a token without the name of a key needs exactly one that fits',
      ({ verify }) => ({ verify: accepting(verify, 'no-single-key') }),
    ],
    'accepts removed keys': [
      'A10: a key that is no longer published is refused from then on',
      ({ verify }) => ({ verify: accepting(verify, 'removed-key') }),
    ],
    'accepts unknown keys': [
      'A10: a key that is not published is refused, once the keys were fetched for it',
      ({ verify }) => ({ verify: accepting(verify, 'unknown-key') }),
    ],
    'refuses tokens while the provider is down': [
      'A10: no fetch follows a failed one within a second',
      ({ verify }) => ({ verify: refusing(verify) }),
    ],
  },
}
