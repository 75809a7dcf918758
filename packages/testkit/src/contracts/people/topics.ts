import type { Label } from '@almoner/domain/content'
import type { Audience, Device, DeviceKind, User } from '@almoner/domain/people'
import type { Users } from '@almoner/domain/ports'
import type { LabelId, LabelName, Language } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, sampleDevice, sampleEmail } from '../samples.ts'

/** A store for one test, with its own data. */
export type UsersUnderTest = UnderTest<'users' | 'labels'>

/** A store of one test, alone with its data. */
export type DevicesUnderTest = UnderTest<'users' | 'devices' | 'labels'>

/** The n-th user. */
export const sampleUser = (n: number, over: Partial<User> = {}): User => ({
  email: sampleEmail(n),
  lang: n % 2 === 0 ? 'en' : 'fr',
  subscribed: n % 3 !== 0,
  topics: [],
  ...over,
})

/** A label with a name in each language. */
export const sampleLabel = (id: string): Label => ({
  labelId: id as LabelId,
  en: `${id} in English` as LabelName,
  fr: `${id} en français` as LabelName,
})

const allUsers = async (users: Users) => {
  const all: Array<User> = []
  for await (const batch of users.all()) all.push(...batch)
  return all
}

/** Tests of topics, which are part of the contract of `Users` and of `Labels`. */
export const topicTests = (runner: ContractRunner, make: () => Promise<UsersUnderTest>): void => {
  const on = onEach(runner, make)
  const [water, health, arts] = [sampleLabel('water'), sampleLabel('health'), sampleLabel('arts')] as const
  const labels = [water, health, arts]
  const [waterId, healthId, artsId] = [water.labelId, health.labelId, arts.labelId]

  on(
    'F6: topics are stored as they are given, and none follow everything',
    async (check, { users, labels: set }) => {
      await done(set.replaceAll(labels))
      const email = sampleEmail(1)
      check.same((await done(users.prefer(email, { topics: [healthId, waterId] }))).topics, [
        healthId,
        waterId,
      ])
      check.same((await done(users.prefer(email, { lang: 'fr' }))).topics, [healthId, waterId], 'left out')
      check.same(
        O.map(({ topics }: User) => topics)(await done(users.find(email))),
        O.some([healthId, waterId]),
      )
      check.same(
        (await allUsers(users)).map(({ topics }) => topics),
        [[healthId, waterId]],
      )
      check.same((await done(users.prefer(email, { topics: [] }))).topics, [])
    },
  )

  on('F6: topics of any identifier are kept, a thousand of them', async (check, { users, labels: set }) => {
    const strange = ['a,b', 'a b', '"', '\\', '%_', "'", '[]', '😀']
    const many = [...strange, ...Array.from({ length: 992 }, (_, n) => `topic-${n}`)].map((id) =>
      sampleLabel(id),
    )
    const topics = many.map(({ labelId }) => labelId)
    await done(set.replaceAll(many))
    await done(users.prefer(sampleEmail(1), { topics }))
    check.same(O.map((user: User) => user.topics)(await done(users.find(sampleEmail(1)))), O.some(topics))
  })

  on('F6: topics that are no labels fail, and nothing changes', async (check, { users, labels: set }) => {
    await done(set.replaceAll([...labels.slice(0, 2)]))
    const email = sampleEmail(1)
    const unknown = E.left({ _tag: 'UnknownTopics', labelIds: [artsId] })
    check.same(await users.prefer(email, { lang: 'fr', topics: [waterId, artsId] })(), unknown)
    check.same(await done(users.find(email)), O.none)
    await done(users.prefer(email, { topics: [waterId] }))
    const imported = [sampleUser(1, { topics: [] }), sampleUser(2, { topics: [artsId, healthId] })]
    check.same(await users.putAll(imported)(), unknown)
    check.same(
      (await allUsers(users)).map(({ topics }) => topics),
      [[waterId]],
    )
  })

  on(
    'F6: an import without topics leaves them, and with topics replaces them',
    async (check, { users, labels: set }) => {
      await done(set.replaceAll(labels))
      const follow = (n: number, topics: ReadonlyArray<LabelId>) => sampleUser(n, { topics })
      await done(users.putAll([follow(1, [waterId]), follow(2, [healthId]), follow(3, [])]))
      const { topics: _, ...without } = sampleUser(1, { lang: 'en', subscribed: false })
      await done(users.putAll([without, follow(2, [artsId, waterId]), follow(4, [healthId])]))
      check.same(await allUsers(users), [
        { ...without, topics: [waterId] },
        follow(2, [artsId, waterId]),
        follow(3, []),
        follow(4, [healthId]),
      ])
    },
  )

  on(
    'F6: a load takes the labels that it removes from every preference, and counts people',
    async (check, stores) => {
      const { users, labels: set } = stores
      await done(set.replaceAll(labels))
      const topics = [
        [waterId],
        [waterId, artsId],
        [healthId],
        [],
        [artsId, waterId, healthId],
        [artsId, waterId],
      ]
      await done(users.putAll(topics.map((some, n) => sampleUser(n, { topics: some }))))
      check.same(await done(set.replaceAll([...labels])), { people: 0, everything: 0 })
      check.same(await done(set.replaceAll([...labels.slice(1, 2)])), { people: 4, everything: 3 })
      check.same(
        (await allUsers(users)).map((user) => user.topics),
        [[], [], [healthId], [], [healthId], []],
      )
      await done(set.replaceAll(labels))
      check.same(
        (await allUsers(users)).map((user) => user.topics),
        [[], [], [healthId], [], [healthId], []],
      )
    },
  )

  on(
    'F6: topics and a load that removes one of them at once leave no unknown topic',
    async (check, stores) => {
      const { users, labels: set } = stores
      for (let round = 0; round < 5; round += 1) {
        await done(set.replaceAll(labels))
        const emails = [1, 2, 3, 4].map(sampleEmail)
        await Promise.all([
          ...emails.map((email) => users.prefer(email, { topics: [waterId, healthId] })()),
          done(set.replaceAll([...labels.slice(1)])),
        ])
        const followed = (await allUsers(users)).flatMap(({ topics }) => topics)
        check.same(followed.includes(waterId), false)
      }
    },
  )
}

/** Tests of audiences, which are part of the contract of `Devices`. */
export const audienceTests = (runner: ContractRunner, make: () => Promise<DevicesUnderTest>): void => {
  const given = onEach(runner, make)

  given(
    'the audience counts the devices of subscribed readers of the language, by kind',
    async (check, store) => {
      const audience = (lang: Language) => done(store.devices.audience({ lang, labelId: O.none }))
      const noDevices = { fcm: 0, apns: 0, webpush: 0, unroutable: 0 }
      check.same(await audience('en'), noDevices)
      const kinds = ['fcm', 'fcm', 'fcm', 'apns', 'apns', 'webpush', 'unroutable'] as const
      for (const [n, kind] of kinds.entries()) await done(store.devices.attach(sampleDevice(n, { kind })))
      await done(store.users.prefer(sampleEmail(0), { lang: 'fr' }))
      await done(store.users.prefer(sampleEmail(3), { subscribed: false }))
      check.same(await audience('en'), {
        fcm: 2,
        apns: 1,
        webpush: 1,
        unroutable: 1,
      })
      check.same(await audience('fr'), {
        ...noDevices,
        fcm: 1,
      })
      await done(store.devices.attach(sampleDevice(1, { email: sampleEmail(0) })))
      check.same(await audience('en'), {
        fcm: 1,
        apns: 1,
        webpush: 1,
        unroutable: 1,
      })
      check.same(await audience('fr'), {
        ...noDevices,
        fcm: 2,
      })
      // In a host's program its name is in the type, by declaration merging.
      await done(store.devices.attach(sampleDevice(8, { kind: 'expo' as DeviceKind })))
      const withAdded = { fcm: 1, apns: 1, webpush: 1, unroutable: 1, expo: 1 }
      check.same(await audience('en'), withAdded, 'a kind that a host has added')
    },
  )

  given(
    'G12: the audience of a topic are the followers of it and of everything, and the followers are counted',
    async (check, { users, devices, labels }) => {
      const [water, health] = [sampleLabel('water'), sampleLabel('health')]
      await done(labels.replaceAll([water, health]))
      const attach = (n: number, over: Partial<Device> = {}) => done(devices.attach(sampleDevice(n, over)))
      for (const n of [0, 1, 2, 3, 4]) await attach(n)
      await attach(5, { email: sampleEmail(1), kind: 'apns' })
      const prefer = (n: number, topics: ReadonlyArray<Label>, subscribed = true) =>
        done(users.prefer(sampleEmail(n), { subscribed, topics: topics.map(({ labelId }) => labelId) }))
      await prefer(1, [water, health])
      await prefer(2, [health])
      await prefer(3, [water], false)
      await prefer(9, [water])
      const of = ({ labelId }: Label, lang: Language = 'en') => ({ lang, labelId: O.some(labelId) })
      const counted = async (audience: Audience) => {
        const { fcm, apns } = await done(devices.audience(audience))
        return [fcm, apns, await done(devices.followers(audience))]
      }
      check.same(await counted({ lang: 'en', labelId: O.none }), [4, 1, 0])
      check.same(await counted(of(water)), [3, 1, 1], 'two devices of one person')
      check.same(await counted(of(health)), [4, 1, 2])
      check.same(await counted(of(water, 'fr')), [0, 0, 0])
      await attach(6, { email: sampleEmail(2) })
      await attach(5, { email: sampleEmail(2) })
      check.same(await counted(of(water)), [3, 0, 1], 'devices have the topics of their new user')
      await prefer(2, [])
      check.same(await counted(of(water)), [6, 0, 1])
      await prefer(1, [health])
      check.same(await counted(of(water)), [5, 0, 0])
    },
  )
}
