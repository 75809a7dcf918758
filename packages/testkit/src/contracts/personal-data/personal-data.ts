import { commandActor, type IdempotencyKey, type Receipt } from '@almoner/domain/access'
import type { StoredToken } from '@almoner/domain/ports'
import { type ClientId, collect, type ItemTitle, pageRequest, type Reason } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sampleClient } from '../access/access.ts'
import { dead, ended } from '../delivery/fixture.ts'
import { sampleIdentity, samplePasskey } from '../managers/credentials.ts'
import { openByLink, sampleDigest, sampleManager, sampleSession } from '../managers/managers.ts'
import { samplePassword } from '../managers/sessions.ts'
import { sampleCopy } from '../managers/working-copies.ts'
import type { ContractRunner } from '../runner.ts'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleFeedItem,
  sampleId,
} from '../samples.ts'
import { erasingWhileSending } from './erasing-while-sending.ts'
import { erasingWhileWriting } from './erasing-while-writing.ts'
import {
  erase,
  find,
  givenPersonalData,
  LATER,
  NOTHING,
  outcomes,
  type PersonalDataFixture,
  type PersonalDataUnderTest,
  searchingPeople,
} from './fixture.ts'

export {
  givePerson,
  PERSONAL_TEXTS,
  PERSONAL_WRITES,
  type PersonalWrite,
  type PersonalWritePorts,
} from './erasing-while-writing.ts'
export type { PersonalDataUnderTest } from './fixture.ts'

const receiptOf = (n: number): Receipt<unknown> => ({
  clientId: 'app' as ClientId,
  key: `key ${n}` as IdempotencyKey,
  digest: 'digest',
  at: SAMPLE_MOMENT,
  about: O.some(sampleEmail(n)),
  responseTo: () => ({ status: 200, contentType: O.none, etag: O.none, body: sampleEmail(n) }),
})

/** The n-th person's own access token (A10). */
const tokenOf = (n: number): StoredToken => ({
  ...{ digest: sampleDigest(n + 500), clientId: `client-${n}` as ClientId, scopes: ['user'] },
  ...{ expiresAt: LATER, person: sampleEmail(n) },
})

/** Gives the n-th person a client, a token, a post, two devices of which one is dead, and a stored response. */
const person = async (setup: PersonalDataFixture, n: number) => {
  const email = sampleEmail(n)
  await done(setup.clients.add({ ...sampleClient(`client-${n}`), email: O.some(email) }, `hash ${n}`))
  await done(setup.accessTokens.add(tokenOf(n)))
  const author = { clientId: `client-${n}` as ClientId, email: O.some(email) }
  await done(setup.feedItems.add({ item: sampleFeedItem(n), linksToImages: [], author }))
  for (const one of [n, n + 100])
    await done(setup.devices.attach(sampleDevice(one, { email }), one === n ? receiptOf(n) : undefined))
  const id = await setup.notification(n, { date: O.some(SAMPLE_MOMENT) })
  await setup.start()
  for (const result of [ended('delivered'), dead(SAMPLE_MOMENT)] as const)
    await setup.recordAll(await setup.claimed({ most: 1 }), result)
  return id
}

/** What every `PersonalData` must do, with the other stores of the same data. */
export const personalDataContract = (
  runner: ContractRunner,
  make: () => Promise<PersonalDataUnderTest>,
): void => {
  const given = givenPersonalData(runner, make)
  erasingWhileSending(given)
  erasingWhileWriting(given)
  searchingPeople(given)

  given(
    'L1, L2: erasing a person who is a manager erases the manager, its sessions, links, passkeys, identity, password and working copies',
    async (check, setup) => {
      const ada = sampleManager('ada')
      await done(setup.managers.add(ada))
      await openByLink(setup, sampleSession(1, ada))
      const secret = { digest: sampleDigest(2), purpose: 'sign-in', email: ada.email } as const
      await done(setup.oneTimeSecrets.put({ ...secret, expiresAt: LATER }))
      const passkey = { ...samplePasskey(1), email: ada.email }
      await done(setup.passkeys.add(passkey))
      await done(setup.identities.link(sampleIdentity(1)))
      await done(setup.passwords.set({ ...samplePassword(), email: ada.email }, { by: sampleDigest(1) }))
      const copies = [sampleCopy(1, ada), sampleCopy(2, ada)]
      for (const copy of copies) await done(setup.workingCopies.put(copy))
      const { manager, workingCopies, passkeys, identity, password } = await done(
        setup.personalData.find(ada.email),
      )
      check.same(manager, O.some(ada))
      check.same(passkeys, [passkey])
      check.same(identity, O.some(sampleIdentity(1)))
      check.same(password, O.some({ ...samplePassword(), email: ada.email }))
      check.same(workingCopies, copies.toReversed(), 'the latest change first')
      await done(setup.personalData.erase(ada.email, LATER))
      check.same(await done(setup.managers.all()), [])
      check.same(await done(setup.sessions.end(sampleDigest(1))), false)
      check.same(await done(setup.workingCopies.of(ada.email)), [])
      check.same(await done(setup.passkeys.find(passkey.id)), O.none)
      check.same(await done(setup.identities.find(sampleIdentity(1))), O.none)
      check.same(await done(setup.passwords.find(ada.email)), O.none)
      check.same(await failure(setup.personalData.erase(ada.email, LATER)), 'UserNotFound')
    },
  )

  given('L2: everything that is stored about a person is found', async (check, setup) => {
    const id = await person(setup, 1)
    const email = sampleEmail(1)
    const live = sampleDevice(1)
    const found = await find(setup, 1)
    // A store may also know of a device that is detached since.
    const attached = found.deliveries.filter(({ token }) => O.isSome(token))
    check.same(
      { ...found, deliveries: attached },
      {
        user: O.some({ email, lang: 'en', subscribed: true, topics: [] }),
        formerPreferences: [],
        manager: O.none,
        number: O.none,
        passkeys: [],
        identity: O.none,
        password: O.none,
        workingCopies: [],
        proposals: [],
        waitingFeed: O.none,
        devices: [live],
        deadDevices: [{ device: sampleDevice(101, { email }), detachedAt: SAMPLE_MOMENT }],
        deliveries: [
          {
            notificationId: O.some(id),
            token: O.some(live.token),
            state: 'delivered',
            at: O.some(SAMPLE_MOMENT),
          },
        ],
        seen: [],
        posts: [sampleFeedItem(1)],
        clients: [{ ...sampleClient('client-1'), email: O.some(email) }],
        tokens: [{ clientId: 'client-1' as ClientId, scopes: ['user'], expiresAt: LATER }],
        responses: [{ clientId: 'app' as ClientId, at: SAMPLE_MOMENT, body: email }],
      },
    )
    check.same(await find(setup, 2), NOTHING)
  })

  given('L1: a person of whom there is a token only is known', async (check, setup) => {
    await done(setup.clients.add({ ...sampleClient('client-1'), email: O.none }, 'hash'))
    await done(setup.accessTokens.add(tokenOf(1)))
    const [found] = await done(setup.personalData.search(sampleEmail(1), 2))
    check.same(found?.email, sampleEmail(1))
    await erase(setup, 1)
    check.same(await find(setup, 1), NOTHING)
    check.same(await failure(setup.personalData.erase(sampleEmail(1), LATER)), 'UserNotFound')
    check.same(await done(setup.personalData.search(sampleEmail(1), 2)), [])
  })

  given('L1: nothing of an erased person is left, and all of others', async (check, setup) => {
    const id = await person(setup, 1)
    await person(setup, 2)
    const other = await find(setup, 2)
    await erase(setup, 1)
    check.same(await find(setup, 1), NOTHING)
    check.same(await find(setup, 2), other)
    check.same(await done(setup.users.find(sampleEmail(1))), O.none)
    check.same(await collect(setup.devices.ofUser(sampleEmail(1))), [])
    check.same(await done(setup.accessTokens.grantOf(tokenOf(1).digest, SAMPLE_MOMENT)), O.none)
    check.ok(O.isSome(await done(setup.accessTokens.grantOf(tokenOf(2).digest, SAMPLE_MOMENT))))
    check.same((await collect(setup.deadDevices.list({ provider: O.none, since: O.none }))).length, 1)
    const client = await done(setup.clients.find('client-1' as ClientId))
    check.same(O.isSome(client) && client.value.client.email, O.none, 'the client is there, and unbound')
    check.ok(O.isSome(await done(setup.feedItems.find(sampleId(1)))), 'the post stays')
    check.same(await done(setup.feedAuthors.ofPosts([sampleId(1)])), new Map())
    const key = await done(
      setup.idempotencyKeys.find(
        { clientId: 'app' as ClientId, key: 'key 1' as IdempotencyKey },
        SAMPLE_MOMENT,
      ),
    )
    check.same(key, O.none, 'its key counts as unused (I4)')
    check.same(outcomes(await setup.progress(id)), [2, 1, 0, 1, 0], 'totals stay')
  })

  given(
    'L1, L3: the reasons for the posts of an erased person go, from history too',
    async (check, setup) => {
      const reason = O.some('Too dark' as Reason)
      for (const n of [1, 2]) {
        const author = { clientId: 'app' as ClientId, email: O.some(sampleEmail(n)) }
        const item = sampleFeedItem(n)
        const act = { actor: commandActor('test'), action: 'update' } as const
        await done(setup.feedItems.add({ item, linksToImages: [], author, act }))
        for (const [revision, held] of [reason, O.none, reason].entries()) {
          const next = {
            ...item,
            title: `"reason":"" ${revision}` as ItemTitle,
            reason: held,
            revision: revision + 2,
          }
          const write = { item: next, storesImages: [], displaysImages: [], linksToImages: [], act }
          await done(setup.feedItems.change(item.id, () => E.right(write)))
        }
      }
      const reasonsOf = async (n: number) => {
        const query = { contentType: 'feed', itemId: sampleId(n) } as const
        const revisions = await collect(await done(setup.history.revisions(query, pageRequest({}))))
        const states = await Promise.all(
          revisions.map(({ number }) => done(setup.history.stateAt(query, number.value))),
        )
        const item = await done(setup.feedItems.find(sampleId(n)))
        return {
          item: O.isSome(item) && item.value.reason,
          changes: revisions.flatMap(({ changes }) =>
            changes.filter(
              ({ field, before, after }) => field === 'reason' && `${before ?? ''}${after}` !== '',
            ),
          ).length,
          titles: revisions.flatMap(({ changes }) => changes.filter(({ field }) => field === 'itemTitle'))
            .length,
          states: states.map((state) => O.isSome(state) && state.value['reason']),
        }
      }
      const whole = { item: reason, changes: 3, titles: 4, states: ['Too dark', '', 'Too dark', ''] }
      check.same(await reasonsOf(1), whole)
      await erase(setup, 1)
      check.same(await reasonsOf(1), { item: O.none, changes: 0, titles: 4, states: ['', '', '', ''] })
      check.same(await reasonsOf(2), whole, 'of others they stay')
    },
  )

  given('L1: who is unknown is not found; who only binds a client is known', async (check, setup) => {
    check.same(await failure(setup.personalData.erase(sampleEmail(1), LATER)), 'UserNotFound')
    await done(setup.clients.add({ ...sampleClient('app'), email: O.some(sampleEmail(1)) }, 'hash'))
    await erase(setup, 1)
    check.same(await failure(setup.personalData.erase(sampleEmail(1), LATER)), 'UserNotFound')
  })

  given('L1: an erased person can come again', async (check, setup) => {
    await person(setup, 1)
    await erase(setup, 1)
    await done(setup.devices.attach(sampleDevice(1)))
    check.same(await collect(setup.devices.ofUser(sampleEmail(1))), [sampleDevice(1)])
    check.same(await find(setup, 1), {
      ...NOTHING,
      user: O.some({ email: sampleEmail(1), lang: 'en', subscribed: true, topics: [] }),
      devices: [sampleDevice(1)],
    })
  })
}
