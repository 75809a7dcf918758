import type { TokenDigest } from '@almoner/domain/access'
import type { StoredToken } from '@almoner/domain/ports'
import { addMillis, type ClientId, instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { sampleClient } from './clients.ts'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done } from './samples.ts'

/** A store for one test, with its own data. */
export type AccessTokensUnderTest = UnderTest<'accessTokens' | 'clients'>

const app = sampleClient('app')
const end = instant(1_700_000_000_000)
const before = instant(end - 1)

const token = (n: number): StoredToken => ({
  digest: n.toString(16).padStart(64, '0') as TokenDigest,
  clientId: app.id,
  scopes: ['user'],
  expiresAt: end,
})

/** Contract tests of `AccessTokens`. */
export const accessTokensContract = (
  runner: ContractRunner,
  make: () => Promise<AccessTokensUnderTest>,
): void => {
  const given = onEach(runner, make, async (store) => {
    await done(store.clients.add(app, 'hash'))
    await done(store.accessTokens.add(token(1)))
    return store
  })
  const grant = { clientId: app.id, scopes: ['user'], roles: app.roles, email: app.email, expiresAt: end }

  given('A1: a token grants its scopes and its client’s roles and user', async (check, { accessTokens }) => {
    check.same(await done(accessTokens.grantOf(token(1).digest, before)), O.some(grant))
    check.same(await done(accessTokens.grantOf(token(2).digest, before)), O.none)
  })

  given('A1: a grant has the time of its issue, if the token has it', async (check, { accessTokens }) => {
    await done(accessTokens.add({ ...token(2), life: 1000 }))
    const issuedAt = addMillis(end, -1000)
    check.same(await done(accessTokens.grantOf(token(2).digest, before)), O.some({ ...grant, issuedAt }))
  })

  given('A6: a token expires', async (check, { accessTokens }) => {
    check.same(await done(accessTokens.grantOf(token(1).digest, end)), O.none)
  })

  given(
    'A6: a disabled client’s tokens grant nothing until the client is enabled again',
    async (check, store) => {
      await done(store.clients.setDisabled(app.id, true))
      check.same(await done(store.accessTokens.grantOf(token(1).digest, before)), O.none)
      await done(store.clients.setDisabled(app.id, false))
      check.same(await done(store.accessTokens.grantOf(token(1).digest, before)), O.some(grant))
    },
  )

  given('A6: tokens stay valid after a rotation', async (check, store) => {
    await done(store.clients.rotate(app.id, 'other hash', O.none))
    check.same(await done(store.accessTokens.grantOf(token(1).digest, before)), O.some(grant))
  })

  given('A6: a client revokes its own tokens only', async (check, { accessTokens }) => {
    check.same(await done(accessTokens.revoke(token(1).digest, 'other' as ClientId)), false)
    check.same(await done(accessTokens.grantOf(token(1).digest, before)), O.some(grant))
    check.same(await done(accessTokens.revoke(token(1).digest, app.id)), true)
    check.same(await done(accessTokens.grantOf(token(1).digest, before)), O.none)
    check.same(await done(accessTokens.revoke(token(1).digest, app.id)), false)
  })

  given('purging deletes expired access tokens only', async (check, { accessTokens }) => {
    await done(accessTokens.add({ ...token(2), expiresAt: instant(end + 1) }))
    check.same(await done(accessTokens.purge(end)), 0)
    check.same(await done(accessTokens.purge(instant(end + 1))), 1)
    check.same(O.isSome(await done(accessTokens.grantOf(token(2).digest, before))), true)
  })
}
