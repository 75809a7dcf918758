import type { Client, TokenDigest } from '@almoner/domain/access'
import { EXTENSIONS, IMAGE_TYPES, isMediaName } from '@almoner/domain/media'
import type { FailedAttempts, Secrets, StoredToken } from '@almoner/domain/ports'
import { addMillis, type ClientId, type Email, type Instant, instant, MINUTE } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure } from '../samples.ts'

/** A store for one test, with its own data. */
export type ClientsUnderTest = UnderTest<'clients'>

/** A client bound to a user, with a role. */
export const sampleClient = (id: string): Client => ({
  id: id as ClientId,
  name: `App “${id}”`,
  scopes: ['user', 'user-donor'],
  roles: ['user-manager'],
  email: O.some('amina@example.org' as Email),
  disabled: false,
})

const HOUR = 3_600_000

/** Contract tests of `Clients`. */
export const clientsContract = (runner: ContractRunner, make: () => Promise<ClientsUnderTest>): void => {
  const given = onEach(runner, make, ({ clients }) => clients)
  const app = sampleClient('app')

  given('A1: a client is found with its scopes, roles, user and secret', async (check, clients) => {
    await done(clients.add(app, 'hash one'))
    check.same(
      await done(clients.find(app.id)),
      O.some({ client: app, secrets: [{ hash: 'hash one', until: O.none }] }),
    )
    const bare: Client = { ...sampleClient('bare'), scopes: ['user'], roles: [], email: O.none }
    await done(clients.add(bare, 'hash two'))
    check.same(await done(clients.all()), [app, bare])
    check.same(await done(clients.find('other' as ClientId)), O.none)
  })

  given(
    'A10: a client for people is found with its audience, a public one without a secret',
    async (check, clients) => {
      const audience = O.some('app.example.org')
      const page: Client = { ...sampleClient('page'), roles: [], forPeople: { isPublic: true, audience } }
      const backend: Client = { ...app, forPeople: { isPublic: false, audience: O.none } }
      await done(clients.add(backend, 'hash one'))
      await done(clients.add(page, undefined))
      check.same(await done(clients.find(page.id)), O.some({ client: page, secrets: [] }))
      check.same(await done(clients.all()), [backend, page])
      check.same(await failure(clients.rotate(page.id, 'hash two', O.none)), 'ClientIsPublic')
      check.same(await done(clients.find(page.id)), O.some({ client: page, secrets: [] }))
      check.same(await done(clients.rotate(backend.id, 'hash two', O.none)), backend)
    },
  )

  given('a client id cannot be added twice', async (check, clients) => {
    await done(clients.add(app, 'hash one'))
    check.same(await failure(clients.add({ ...app, name: 'Other' }, 'hash two')), 'ClientExists')
    check.same(await done(clients.all()), [app])
  })

  given(
    'a client whose secret reached no one is withdrawn, and can be added again',
    async (check, clients) => {
      await done(clients.add(app, 'hash one'))
      check.same(await failure(clients.withdraw(app.id, 'hash two')), 'ClientNotFound')
      await done(clients.withdraw(app.id, 'hash one'))
      check.same(await done(clients.find(app.id)), O.none)
      check.same(await failure(clients.withdraw(app.id, 'hash one')), 'ClientNotFound')
      await done(clients.add(app, 'hash two'))
      await done(clients.rotate(app.id, 'hash three', O.some(instant(HOUR))))
      check.same(await failure(clients.withdraw(app.id, 'hash three')), 'ClientNotFound')
      check.same(await done(clients.all()), [app])
    },
  )

  given('A6: a rotation invalidates the old secrets at once', async (check, clients) => {
    await done(clients.add(app, 'hash one'))
    check.same(await done(clients.rotate(app.id, 'hash two', O.none)), app)
    const found = await done(clients.find(app.id))
    check.same(O.isSome(found) && found.value.secrets, [{ hash: 'hash two', until: O.none }])
  })

  given(
    'A6: a rotation may keep the old secret for a while; an earlier end stays',
    async (check, clients) => {
      const [soon, late] = [instant(HOUR), instant(2 * HOUR)]
      await done(clients.add(app, 'hash one'))
      await done(clients.rotate(app.id, 'hash two', O.some(soon)))
      await done(clients.rotate(app.id, 'hash three', O.some(late)))
      const found = await done(clients.find(app.id))
      check.same(O.isSome(found) && found.value.secrets, [
        { hash: 'hash three', until: O.none },
        { hash: 'hash two', until: O.some(late) },
        { hash: 'hash one', until: O.some(soon) },
      ])
    },
  )

  given('A6: replacing the hash of a secret keeps the end of that secret', async (check, clients) => {
    await done(clients.add(app, 'hash one'))
    await done(clients.rotate(app.id, 'hash two', O.some(instant(HOUR))))
    await done(clients.replaceSecretHash(app.id, 'hash one', 'digest one'))
    await done(clients.replaceSecretHash(app.id, 'no such hash', 'other'))
    await done(clients.replaceSecretHash('other' as ClientId, 'hash two', 'other'))
    const found = await done(clients.find(app.id))
    check.same(O.isSome(found) && found.value.secrets, [
      { hash: 'hash two', until: O.none },
      { hash: 'digest one', until: O.some(instant(HOUR)) },
    ])
  })

  given('A6: disabling and enabling can be repeated', async (check, clients) => {
    await done(clients.add(app, 'hash one'))
    const disabled = { ...app, disabled: true }
    check.same(await done(clients.setDisabled(app.id, true)), disabled)
    check.same(await done(clients.setDisabled(app.id, true)), disabled)
    const found = await done(clients.find(app.id))
    check.same(O.isSome(found) && found.value.client, disabled)
    check.same(await done(clients.setDisabled(app.id, false)), app)
  })

  given('A6: an overview has the secrets of each client, and its latest use', async (check, clients) => {
    const other = sampleClient('other')
    for (const client of [other, app]) await done(clients.add(client, `hash of ${client.id}`))
    await done(clients.rotate(app.id, 'new hash', O.some(instant(HOUR))))
    await done(clients.noteUses(new Map([[app.id, instant(20)]])))
    await done(clients.noteUses(new Map([[app.id, instant(10)]])))
    const secrets = [
      { hash: 'new hash', until: O.none },
      { hash: 'hash of app', until: O.some(instant(HOUR)) },
    ]
    const unused = { client: other, secrets: [{ hash: 'hash of other', until: O.none }], lastUsedAt: O.none }
    check.same(await done(clients.overview()), [
      { client: app, secrets, lastUsedAt: O.some(instant(20)) },
      unused,
    ])
    const uses = [app, other].map(({ id }): [ClientId, Instant] => [id, instant(30)])
    await done(clients.noteUses(new Map(uses)))
    check.same(
      (await done(clients.overview())).map(({ lastUsedAt }) => lastUsedAt),
      [O.some(instant(30)), O.some(instant(30))],
    )
  })

  given('an unknown client is not found', async (check, clients) => {
    const unknownClient = 'nobody' as ClientId
    check.same(await clients.rotate(unknownClient, 'hash', O.none)(), E.left({ _tag: 'ClientNotFound' }))
    check.same(await clients.setDisabled(unknownClient, true)(), E.left({ _tag: 'ClientNotFound' }))
  })
}

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

  given('A10: a person’s token grants no role, and acts for the person', async (check, store) => {
    const person = 'ada@example.org' as Email
    await done(store.accessTokens.add({ ...token(2), person }))
    const own = { ...grant, roles: [], email: O.some(person), personToken: token(2).digest }
    check.same(await done(store.accessTokens.grantOf(token(2).digest, before)), O.some(own))
    check.same(await done(store.accessTokens.grantOf(token(1).digest, before)), O.some(grant))
    check.same(await done(store.accessTokens.revoke(token(2).digest, app.id)), true)
    check.same(await done(store.accessTokens.grantOf(token(2).digest, before)), O.none)
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

const start = instant(1_700_000_000_000)
const at = (seconds: number): Instant => addMillis(start, seconds * 1000)

/** Contract tests of `FailedAttempts`. */
export const failedAttemptsContract = (runner: ContractRunner, make: () => FailedAttempts): void => {
  runner('A8: failures are stored by source and key for a minute', async (check) => {
    const attempts = make()
    attempts.add('pair', 'a', at(0))
    attempts.add('pair', 'a', at(30))
    attempts.add('address', 'a', at(31))
    check.same(attempts.of('pair', 'a', at(31)), [at(0), at(30)])
    check.same(attempts.of('address', 'a', at(31)), [at(31)])
    check.same(attempts.of('pair', 'b', at(31)), [])
    check.same(attempts.of('pair', 'a', addMillis(start, MINUTE)), [at(30)])
  })

  runner('A8: failures from before the clock was set back by an hour are dropped', async (check) => {
    const attempts = make()
    attempts.add('pair', 'a', at(3600))
    check.same(attempts.of('pair', 'a', at(0)), [])
    attempts.add('pair', 'a', at(0))
    check.same(attempts.of('pair', 'a', at(0)), [at(0)])
  })

  runner('A8: only the failures that the limit needs are stored', async (check) => {
    const attempts = make()
    for (let n = 0; n < 30; n += 1) attempts.add('pair', 'a', at(n))
    check.same(attempts.of('pair', 'a', at(30)).length, 10)
  })

  runner('memory is bounded: a flood of keys does not grow it without limit', async (check) => {
    const attempts = make()
    for (let n = 0; n < 50_000; n += 1) attempts.add('pair', `key ${n}`, at(0))
    const kept = Array.from({ length: 50_000 }, (_, n) => attempts.of('pair', `key ${n}`, at(1)).length)
    const total = kept.reduce((a, b) => a + b, 0)
    check.ok(total <= 20_000, `${total} stored`)
    check.same(attempts.of('pair', 'key 49999', at(1)), [at(0)], 'the latest is stored')
  })
}

/** Contract tests of `Secrets`. */
export const secretsContract = (runner: ContractRunner, make: () => Secrets): void => {
  runner('A6: secrets are unique and safe in a URL', async (check) => {
    const secrets = make()
    const made = new Set(Array.from({ length: 1000 }, () => secrets.mint()))
    check.same(made.size, 1000)
    check.ok([...made].every((secret) => /^[\w.~-]{20,}$/.test(secret)))
  })

  runner('D2: image names are unique, have the known form and end with their type', async (check) => {
    const secrets = make()
    for (const type of IMAGE_TYPES) {
      const made = Array.from({ length: 100 }, () => secrets.mintMediaName(type))
      check.same(new Set(made).size, 100)
      check.ok(made.every((name) => isMediaName(name) && name.endsWith(`.${EXTENSIONS[type]}`)))
    }
  })

  runner('A6: equal secrets have equal digests, different ones different digests', async (check) => {
    const secrets = make()
    const [one, other] = [secrets.mint(), secrets.mint()]
    check.same(secrets.digest(one), secrets.digest(one))
    check.ok(secrets.digest(one) !== secrets.digest(other))
  })

  runner('A6: a digest matches its secret and no other text', async (check) => {
    const secrets = make()
    const secret = secrets.mint()
    const digest = secrets.digest(secret)
    check.same(await done(secrets.verify(secret, digest)), 'digest')
    check.same(await done(secrets.verify(`${secret}x`, digest)), 'none')
    for (const stored of ['', 'nonsense', `${digest}x`, digest.slice(1), '$scrypt$'])
      check.same(await done(secrets.verify(secret, stored)), 'none')
  })
}
