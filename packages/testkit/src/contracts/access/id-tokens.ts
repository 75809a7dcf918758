import type { KeysUnavailable, SubjectTokenRefused } from '@almoner/domain/access'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type { TestIdentityProvider } from '../../memory/id-tokens.ts'
import type { SetClock } from '../../memory/values.ts'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done } from '../samples.ts'

/** A verifier for one test, with its provider, which publishes no key yet, and its clock. */
export interface IdTokensUnderTest extends UnderTest<'idTokens'> {
  readonly provider: TestIdentityProvider
  readonly clock: Pick<SetClock, 'advance'>
}

const CLAIMS = { iss: 'https://id.example.org', sub: 'ada', number: 7, list: ['a', 'b'] }

const HOUR = 60 * MINUTE

/** Contract tests of `IdTokens`. */
export const idTokensContract = (runner: ContractRunner, make: () => Promise<IdTokensUnderTest>): void => {
  const given = onEach(runner, make)

  /** Verifies a token of a key, which names it. Returns `ok` or the reason against it. */
  const verify = async (
    { idTokens, provider }: IdTokensUnderTest,
    key: string,
    ...named: ReadonlyArray<string | undefined>
  ) => {
    const [kid] = named.length === 0 ? [key] : named
    const result = await idTokens.verify(await provider.sign(CLAIMS, key, kid))()
    return E.isRight(result) ? 'ok' : outcomeOf(result.left)
  }
  const outcomeOf = (failure: SubjectTokenRefused | KeysUnavailable): string =>
    failure._tag === 'SubjectTokenRefused' ? failure.reason : failure._tag

  given('A10: a token of a published key gives its claims', async (check, given) => {
    given.provider.publish('one', 'two')
    for (const key of ['one', 'two'])
      check.same(await done(given.idTokens.verify(await given.provider.sign(CLAIMS, key, key))), CLAIMS)
    check.same(given.provider.fetches(), 1)
  })

  given('A10: a token that another key has signed is refused', async (check, given) => {
    given.provider.publish('one', 'two')
    check.same(await verify(given, 'two', 'one'), 'signature')
    check.same(await verify(given, 'three', 'one'), 'signature')
  })

  given('A10: a text that is no token is refused', async (check, given) => {
    given.provider.publish('one')
    const token = await given.provider.sign(CLAIMS, 'one', 'one')
    for (const text of ['', 'x', '..', 'a.b.c', token.slice(1), token.slice(0, -30)])
      check.ok(E.isLeft(await given.idTokens.verify(text)()), text)
  })

  given('A10: a token without the name of a key needs exactly one that fits', async (check, given) => {
    given.provider.publish('one')
    check.same(await verify(given, 'one', undefined), 'ok')
    check.same(await verify(given, 'two', undefined), 'signature')
    given.provider.publish('one', 'two')
    check.same(await verify(given, 'two'), 'ok')
    check.same(await verify(given, 'one', undefined), 'no-single-key')
  })

  given('A10: tokens that come together have the keys fetched once', async (check, given) => {
    given.provider.publish('one')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => verify(given, 'one')))
    check.same(new Set(outcomes), new Set(['ok']))
    check.same(given.provider.fetches(), 1)
  })

  given('A10: an unknown key has the keys fetched, at most once a minute', async (check, given) => {
    const { provider, clock } = given
    provider.publish('one')
    check.same(await verify(given, 'one'), 'ok')
    provider.publish('one', 'two')
    check.same(await verify(given, 'two'), 'ok', 'the first fetch does not count')
    provider.publish('one', 'two', 'three')
    check.same(await verify(given, 'three'), 'KeysUnavailable')
    clock.advance(MINUTE - 1)
    const waiting = await given.idTokens.verify(await provider.sign(CLAIMS, 'three', 'three'))()
    check.ok(E.isLeft(waiting) && waiting.left._tag === 'KeysUnavailable' && waiting.left.retryAfter === 1)
    check.same(provider.fetches(), 2)
    clock.advance(1)
    check.same(await verify(given, 'three'), 'ok')
    check.same(await verify(given, 'one'), 'ok')
    check.same(provider.fetches(), 3)
  })

  given(
    'A10: a key that is not published is refused, once the keys were fetched for it',
    async (check, given) => {
      const { provider } = given
      provider.publish('one')
      check.same(await verify(given, 'two'), 'unknown-key')
      check.same(provider.fetches(), 1)
      check.same(await verify(given, 'three'), 'unknown-key')
      check.same(provider.fetches(), 2)
      check.same(await verify(given, 'three'), 'KeysUnavailable')
    },
  )

  given('A10: a key that is no longer published is refused from then on', async (check, given) => {
    const { provider, clock } = given
    provider.publish('one')
    check.same(await verify(given, 'one'), 'ok')
    provider.publish('two')
    check.same(await verify(given, 'one'), 'ok', 'as long as nothing is known of it')
    check.same(await verify(given, 'two'), 'ok')
    check.same(await verify(given, 'one'), 'removed-key')
    clock.advance(2 * MINUTE)
    check.same(await verify(given, 'one'), 'removed-key')
    check.same(provider.fetches(), 2)
  })

  given('A10: keys older than an hour are fetched again in the background', async (check, given) => {
    const { provider, clock } = given
    provider.publish('one')
    check.same(await verify(given, 'one'), 'ok')
    provider.publish('two')
    clock.advance(HOUR - 1)
    check.same(await verify(given, 'one'), 'ok')
    check.same(provider.fetches(), 1)
    clock.advance(1)
    check.same(await verify(given, 'one'), 'ok', 'the fetch holds up no one')
    check.same(await verify(given, 'two'), 'ok')
    check.same(await verify(given, 'one'), 'removed-key')
    check.same(provider.fetches(), 2)
  })

  given('A10: keys serve for 24 hours while the provider is down', async (check, given) => {
    const { provider, clock } = given
    provider.publish('one')
    check.same(await verify(given, 'one'), 'ok')
    provider.setDown(true)
    clock.advance(24 * HOUR - 1)
    check.same(await verify(given, 'one'), 'ok')
    check.same(await verify(given, 'two'), 'KeysUnavailable')
    clock.advance(1)
    check.same(await verify(given, 'one'), 'KeysUnavailable')
    provider.setDown(false)
    clock.advance(SECOND)
    check.same(await verify(given, 'one'), 'ok')
  })

  given('A10: no fetch follows a failed one within a second', async (check, given) => {
    const { provider, clock } = given
    provider.publish('one')
    provider.setDown(true)
    for (let n = 0; n < 3; n += 1) check.same(await verify(given, 'one'), 'KeysUnavailable')
    check.same(provider.fetches(), 1)
    provider.setDown(false)
    clock.advance(SECOND - 1)
    check.same(await verify(given, 'one'), 'KeysUnavailable')
    clock.advance(1)
    check.same(await verify(given, 'one'), 'ok')
    check.same(provider.fetches(), 2)
  })
}
