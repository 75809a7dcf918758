import type { Device, DeviceKind, DeviceToken, User } from '@almoner/domain/people'
import type { Users } from '@almoner/domain/ports'
import { collect, type Email } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, onEach, seeded } from '../runner.ts'
import { done, failure, sampleDevice, sampleEmail, sampleMoment } from '../samples.ts'
import { type SpeltDevice, spellDevices } from './device-identities.ts'
import {
  audienceTests,
  type DevicesUnderTest,
  sampleUser,
  topicTests,
  type UsersUnderTest,
} from './topics.ts'

/** What every `Devices` must do. */
export const devicesContract = (runner: ContractRunner, make: () => Promise<DevicesUnderTest>): void => {
  const given = onEach(runner, make)
  const of = ({ devices }: DevicesUnderTest, email: Email) => collect(devices.ofUser(email))
  const [amina, bela] = [sampleEmail(1), sampleEmail(2)]

  given('F1: the first attached device creates the user, subscribed, in English', async (check, store) => {
    await done(store.devices.attach(sampleDevice(1)))
    check.same(
      await done(store.users.find(amina)),
      O.some({ email: amina, lang: 'en', subscribed: true, topics: [] }),
    )
  })

  given('F1: attaching a device does not change an existing user', async (check, store) => {
    await done(store.users.prefer(amina, { lang: 'fr', subscribed: false }))
    await done(store.devices.attach(sampleDevice(1)))
    check.same(
      await done(store.users.find(amina)),
      O.some({ email: amina, lang: 'fr', subscribed: false, topics: [] }),
    )
  })

  given('a user may have several devices, listed in the order of attachment', async (check, store) => {
    const theirs = [5, 3, 9, 1].map((n) => sampleDevice(n, { email: amina, attachedAt: sampleMoment(-n) }))
    for (const device of theirs) {
      await done(store.devices.attach(device))
      await done(store.devices.attach(sampleDevice(100 + theirs.indexOf(device))))
    }
    check.same(await of(store, amina), theirs)
    check.same(await of(store, bela), [], 'an unknown user has none')
    check.same(store.devices.ofUser(amina).next, O.none)
  })

  given(
    'F4: attaching a device again renews its kind and time and keeps its position',
    async (check, store) => {
      const [first, second] = [sampleDevice(1), sampleDevice(2, { email: amina })]
      for (const device of [first, second]) await done(store.devices.attach(device))
      const again: Device = { ...first, kind: 'apns', attachedAt: sampleMoment(60) }
      await done(store.devices.attach(again))
      check.same(await of(store, amina), [again, second])
    },
  )

  given('F4: a device token belongs to one user at a time; attaching it moves it', async (check, store) => {
    await done(store.devices.attach(sampleDevice(1)))
    const moved = sampleDevice(1, { email: bela, attachedAt: sampleMoment(1) })
    await done(store.devices.attach(moved))
    check.same(await of(store, amina), [])
    check.same(await of(store, bela), [moved])
    check.same(await failure(store.devices.detach(amina, moved)), 'DeviceNotFound')
  })

  given('F5: devices of unknown kind are counted, also those of unsubscribed users', async (check, store) => {
    check.same(await done(store.devices.countUnroutable()), 0)
    for (const n of [1, 2, 3]) await done(store.devices.attach(sampleDevice(n, { kind: 'unroutable' })))
    await done(store.devices.attach(sampleDevice(4, { kind: 'fcm' })))
    await done(store.users.prefer(sampleEmail(2), { subscribed: false }))
    check.same(await done(store.devices.countUnroutable()), 3)
    await done(store.devices.attach(sampleDevice(1, { kind: 'apns' })))
    check.same(await done(store.devices.countUnroutable()), 2)
  })

  given('F4: if several users attach a token at once, one of them gets it', async (check, store) => {
    const emails = Array.from({ length: 8 }, (_, n) => sampleEmail(n))
    await Promise.all(emails.map((email) => done(store.devices.attach(sampleDevice(1, { email })))))
    const held = await Promise.all(emails.map((email) => of(store, email)))
    check.same(held.flat().length, 1)
  })

  /** Attaches a device by each of its texts, for two users in turn, and detaches it by the first. */
  const seeOneDevice = async (check: Check, store: DevicesUnderTest, { name, kind, texts }: SpeltDevice) => {
    const wrongly = `${name}: ${texts.join(' ')}`
    for (const [n, token] of texts.entries()) {
      const email = n % 3 === 0 ? bela : amina
      await done(store.devices.attach(sampleDevice(1, { token, kind, email, attachedAt: sampleMoment(n) })))
      const held = [...(await of(store, amina)), ...(await of(store, bela))]
      check.same(
        held.map((one) => [one.token, one.email]),
        [[token, email]],
        `it moves and keeps the text sent last: ${wrongly}`,
      )
    }
    const [first = '' as DeviceToken] = texts
    check.same(await failure(store.devices.detach(bela, { token: first, kind })), 'DeviceNotFound', name)
    await done(store.devices.detach(amina, { token: first, kind }))
    check.same(await of(store, amina), [], `any text detaches it: ${wrongly}`)
  }

  for (let seed = 1; seed <= 3; seed += 1)
    given(`F4: all texts that lead to one destination are one device (${seed})`, async (check, store) => {
      for (const spelt of spellDevices(seeded(seed), 6)) await seeOneDevice(check, store, spelt)
    })

  given(
    'F4: a text stays one device if its kind changes, and takes no other device',
    async (check, store) => {
      const token = 'a text of no known form' as DeviceToken
      const as = (kind: DeviceKind, over: Partial<Device> = {}) => sampleDevice(1, { token, kind, ...over })
      const explicit = sampleDevice(2, { token: `fcm:${token}` as DeviceToken })
      await done(store.devices.attach(explicit))
      for (const kind of ['unroutable', 'apns', 'unroutable'] as const) {
        await done(store.devices.attach(as(kind)))
        check.same(await of(store, amina), [as(kind)])
        check.same(await of(store, bela), [explicit], 'never guessed')
      }
      await done(store.devices.attach(as('fcm')))
      check.same([await of(store, amina), await of(store, bela)], [[as('fcm')], []], 'now it is the same one')
      await done(store.devices.detach(amina, as('unroutable')))
      check.same(await of(store, amina), [])
    },
  )

  given(
    'F4: detaching removes the device; a token that the user does not have is not found',
    async (check, store) => {
      const [first, second] = [sampleDevice(1), sampleDevice(2, { email: amina })]
      for (const device of [first, second]) await done(store.devices.attach(device))
      check.same(await failure(store.devices.detach(bela, first)), 'DeviceNotFound', 'another user')
      check.same(await failure(store.devices.detach(amina, sampleDevice(3))), 'DeviceNotFound', 'unknown')
      await done(store.devices.detach(amina, first))
      check.same(await of(store, amina), [second])
      check.same(await failure(store.devices.detach(amina, first)), 'DeviceNotFound', 'twice')
      check.same(O.isSome(await done(store.users.find(amina))), true, 'the user stays')
    },
  )

  given('F4: a device that is detached and attached again is listed last', async (check, store) => {
    const [first, second] = [sampleDevice(1), sampleDevice(2, { email: amina })]
    for (const device of [first, second]) await done(store.devices.attach(device))
    await done(store.devices.detach(amina, first))
    await done(store.devices.attach(first))
    check.same(await of(store, amina), [second, first])
  })

  given(
    'F4, F5: tokens of up to 4,096 characters of any kind are stored exactly as sent',
    async (check, store) => {
      const tokens = [
        '😀'.repeat(4096),
        'é',
        'e\u0301',
        'É',
        ' é',
        'a/b?c#d%2F',
        '\n',
        '%_',
        "'; --",
        '{"endpoint":"https://fcm.googleapis.com/1"}',
      ]
      for (const token of tokens)
        await done(store.devices.attach(sampleDevice(1, { token: token as DeviceToken })))
      check.same(
        (await of(store, amina)).map(({ token }) => token),
        tokens,
      )
      for (const token of tokens)
        await done(store.devices.detach(amina, { token: token as DeviceToken, kind: 'fcm' }))
      check.same(await of(store, amina), [])
    },
  )

  given('many devices of a user are read from one snapshot while writes continue', async (check, store) => {
    const theirs = Array.from({ length: 600 }, (_, n) => sampleDevice(n, { email: amina }))
    for (const device of theirs) await done(store.devices.attach(device))
    const seen: Array<Device> = []
    for await (const batch of store.devices.ofUser(amina).batches) {
      seen.push(...batch)
      await store.devices.detach(amina, sampleDevice(599))()
      await done(store.devices.attach(sampleDevice(5000, { email: amina })))
    }
    check.same(seen, theirs)
    check.same((await of(store, amina)).length, 600)
  })

  audienceTests(runner, make)
}

/** Contract tests of `Users`. */
export const usersContract = (runner: ContractRunner, make: () => Promise<UsersUnderTest>): void => {
  const given = onEach(runner, make, ({ users }) => users)
  const allUsers = async (users: Users) => {
    const all: Array<User> = []
    for await (const batch of users.all()) all.push(...batch)
    return all
  }

  given(
    'F2: a first preference creates the user, subscribed and in English unless it says otherwise',
    async (check, users) => {
      check.same(await done(users.find(sampleEmail(1))), O.none)
      const made: User = { email: sampleEmail(1), lang: 'en', subscribed: true, topics: [] }
      check.same(await done(users.prefer(sampleEmail(1), {})), made)
      check.same(await done(users.find(sampleEmail(1))), O.some(made))
      check.same(await done(users.prefer(sampleEmail(2), { lang: 'fr' })), {
        email: sampleEmail(2),
        lang: 'fr',
        subscribed: true,
        topics: [],
      })
      check.same(await done(users.prefer(sampleEmail(3), { subscribed: false })), {
        email: sampleEmail(3),
        lang: 'en',
        subscribed: false,
        topics: [],
      })
    },
  )

  given('F2: a partial preference keeps the other value', async (check, users) => {
    const email = sampleEmail(1)
    await done(users.prefer(email, { lang: 'fr', subscribed: false }))
    check.same(await done(users.prefer(email, {})), { email, lang: 'fr', subscribed: false, topics: [] })
    check.same(await done(users.prefer(email, { lang: 'en' })), {
      email,
      lang: 'en',
      subscribed: false,
      topics: [],
    })
    check.same(await done(users.prefer(email, { subscribed: true })), {
      email,
      lang: 'en',
      subscribed: true,
      topics: [],
    })
    check.same(await done(users.find(email)), O.some({ email, lang: 'en', subscribed: true, topics: [] }))
    check.same(await done(users.find(sampleEmail(2))), O.none, 'no other user has changed')
  })

  given(
    'F2: concurrent preferences are applied one after another, and none is lost',
    async (check, users) => {
      for (let n = 0; n < 10; n += 1) {
        const email = sampleEmail(n)
        await Promise.all([
          done(users.prefer(email, { lang: 'fr' })),
          done(users.prefer(email, { subscribed: false })),
        ])
        check.same(
          await done(users.find(email)),
          O.some({ email, lang: 'fr', subscribed: false, topics: [] }),
        )
      }
    },
  )

  given('F2: an import creates and replaces users, and keeps the others', async (check, users) => {
    await done(users.putAll([sampleUser(1), sampleUser(2)]))
    const changed = sampleUser(2, { lang: 'fr', subscribed: false })
    await done(users.putAll([changed, sampleUser(3)]))
    check.same(await allUsers(users), [sampleUser(1), changed, sampleUser(3)])
    await done(users.putAll([]))
    check.same((await allUsers(users)).length, 3)
  })

  given('F2: if an email occurs twice in an import, the later row counts', async (check, users) => {
    const [first, second] = [sampleUser(1, { lang: 'en' }), sampleUser(1, { lang: 'fr', subscribed: false })]
    await done(users.putAll([first, sampleUser(2), second]))
    check.same(await allUsers(users), [second, sampleUser(2)])
  })

  given('users are listed by email, in any order of creation', async (check, users) => {
    check.same(await allUsers(users), [])
    const many = Array.from({ length: 2503 }, (_, n) => sampleUser(n))
    await done(users.putAll([...many].reverse()))
    check.same(await allUsers(users), many)
  })

  given('emails are ordered by code points', async (check, users) => {
    const ordered = [
      'a@example.org',
      'z@example.org',
      'é@example.org',
      '\uffee@example.org',
      '😀@example.org',
    ]
    const all = ordered.map((email) => sampleUser(1, { email: email as User['email'] }))
    await done(users.putAll([...all].reverse()))
    check.same(await allUsers(users), all)
  })

  given('users are read from one snapshot, and writes continue', async (check, users) => {
    const many = Array.from({ length: 1200 }, (_, n) => sampleUser(n))
    await done(users.putAll(many))
    const seen: Array<User> = []
    for await (const batch of users.all()) {
      seen.push(...batch)
      await done(users.prefer(sampleEmail(1199), { lang: 'en', subscribed: true }))
      await done(users.prefer(sampleEmail(5000), {}))
    }
    check.same(seen, many)
    check.same((await allUsers(users)).length, 1201)
  })

  given('a reader that stops early does not block the store', async (check, users) => {
    await done(users.putAll(Array.from({ length: 1200 }, (_, n) => sampleUser(n))))
    for (let round = 0; round < 20; round += 1)
      for await (const batch of users.all()) {
        check.ok(batch.length > 0)
        break
      }
    check.same((await allUsers(users)).length, 1200)
  })

  topicTests(runner, make)
}
