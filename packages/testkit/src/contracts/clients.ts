import type { Client } from '@almoner/domain/access'
import { type ClientId, type Email, type Instant, instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, failure } from './samples.ts'

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
