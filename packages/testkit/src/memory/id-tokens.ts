import {
  type IdTokenClaims,
  keepKeys,
  type PublishedKey,
  type SubjectTokenRefused,
  subjectTokenRefused,
} from '@almoner/domain/access'
import type { Clock, IdTokens } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** An identity provider of which a test decides everything. */
export interface TestIdentityProvider {
  /**
   * Returns a token with these claims, signed with the key of this name.
   * @param kid the name that the token gives its key; none if it is undefined
   */
  sign(claims: IdTokenClaims, key: string, kid: string | undefined): Promise<string>
  /** Publishes the keys with these names, and no others. */
  publish(...keys: ReadonlyArray<string>): void
  /** Makes the provider fail all requests, or answer again. */
  setDown(isDown: boolean): void
  /** Returns how often its keys were asked for. */
  fetches(): number
}

/** A verifier of ID tokens, with the provider whose tokens it verifies. */
export interface MemoryIdTokens extends IdTokens {
  readonly provider: TestIdentityProvider
}

interface Token {
  readonly key: string
  readonly kid?: string
  readonly claims: IdTokenClaims
}

const read = (text: string): E.Either<SubjectTokenRefused, Token> => {
  const malformed = subjectTokenRefused('malformed')
  try {
    const token: unknown = JSON.parse(text)
    return typeof token === 'object' && token !== null && 'key' in token && 'claims' in token
      ? E.right(token as Token)
      : E.left(malformed)
  } catch {
    return E.left(malformed)
  }
}

/** ID tokens in memory: their signature is the name of a key, so that anyone can sign. It publishes the key `key` at first. */
export const memoryIdTokens = (clock: Clock): MemoryIdTokens => {
  let published: ReadonlyArray<PublishedKey> = [{ kid: 'key' }]
  let isDown = false
  let fetches = 0
  const find = keepKeys(async () => {
    fetches += 1
    if (isDown) throw new Error('the provider is down')
    return published
  }, clock)
  const checked = ({ key, claims }: Token, [found, ...others]: ReadonlyArray<PublishedKey>) => {
    if (found === undefined || others.length > 0) return E.left(subjectTokenRefused('no-single-key'))
    return found.kid === key ? E.right(claims) : E.left(subjectTokenRefused('signature'))
  }
  return {
    verify: (text) =>
      pipe(
        TE.fromEither(read(text)),
        TE.flatMap((token) =>
          pipe(
            find(token.kid),
            TE.flatMapEither((keys) => checked(token, keys)),
          ),
        ),
      ),
    provider: {
      sign: async (claims, key, kid) => JSON.stringify({ key, kid, claims }),
      publish: (...keys) => {
        published = keys.map((kid) => ({ kid }))
      },
      setDown: (down) => {
        isDown = down
      },
      fetches: () => fetches,
    },
  }
}
