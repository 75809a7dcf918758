import type { User } from '@almoner/domain/people'
import type { Users } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done } from './samples.ts'
import { sampleEmail } from './samples-people.ts'

/** A store for one test, with its own data. */
export type UsersUnderTest = UnderTest<'users'>

const sampleUser = (n: number, over: Partial<User> = {}): User => ({
  email: sampleEmail(n),
  lang: n % 2 === 0 ? 'en' : 'fr',
  subscribed: n % 3 !== 0,
  ...over,
})

/** Contract tests of `Users`. */
export const usersContract = (runner: ContractRunner, make: () => Promise<UsersUnderTest>): void => {
  const given = onEach(runner, make, ({ users }) => users)
  const everybody = async (users: Users) => {
    const all: Array<User> = []
    for await (const batch of users.all()) all.push(...batch)
    return all
  }

  given(
    'F2: a first preference creates the user, subscribed and in English unless it says otherwise',
    async (check, users) => {
      check.same(await done(users.find(sampleEmail(1))), O.none)
      const made: User = { email: sampleEmail(1), lang: 'en', subscribed: true }
      check.same(await done(users.prefer(sampleEmail(1), {})), made)
      check.same(await done(users.find(sampleEmail(1))), O.some(made))
      check.same(await done(users.prefer(sampleEmail(2), { lang: 'fr' })), {
        email: sampleEmail(2),
        lang: 'fr',
        subscribed: true,
      })
      check.same(await done(users.prefer(sampleEmail(3), { subscribed: false })), {
        email: sampleEmail(3),
        lang: 'en',
        subscribed: false,
      })
    },
  )

  given('F2: a partial preference keeps the other value', async (check, users) => {
    const email = sampleEmail(1)
    await done(users.prefer(email, { lang: 'fr', subscribed: false }))
    check.same(await done(users.prefer(email, {})), { email, lang: 'fr', subscribed: false })
    check.same(await done(users.prefer(email, { lang: 'en' })), { email, lang: 'en', subscribed: false })
    check.same(await done(users.prefer(email, { subscribed: true })), { email, lang: 'en', subscribed: true })
    check.same(await done(users.find(email)), O.some({ email, lang: 'en', subscribed: true }))
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
        check.same(await done(users.find(email)), O.some({ email, lang: 'fr', subscribed: false }))
      }
    },
  )

  given('F2: an import creates and replaces users, and keeps the others', async (check, users) => {
    await done(users.putAll([sampleUser(1), sampleUser(2)]))
    const changed = sampleUser(2, { lang: 'fr', subscribed: false })
    await done(users.putAll([changed, sampleUser(3)]))
    check.same(await everybody(users), [sampleUser(1), changed, sampleUser(3)])
    await done(users.putAll([]))
    check.same((await everybody(users)).length, 3)
  })

  given('F2: if an email occurs twice in an import, the later row counts', async (check, users) => {
    const [first, second] = [sampleUser(1, { lang: 'en' }), sampleUser(1, { lang: 'fr', subscribed: false })]
    await done(users.putAll([first, sampleUser(2), second]))
    check.same(await everybody(users), [second, sampleUser(2)])
  })

  given('users are listed by email, in any order of creation', async (check, users) => {
    check.same(await everybody(users), [])
    const many = Array.from({ length: 2503 }, (_, n) => sampleUser(n))
    await done(users.putAll([...many].reverse()))
    check.same(await everybody(users), many)
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
    check.same(await everybody(users), all)
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
    check.same((await everybody(users)).length, 1201)
  })

  given('a reader that stops early does not block the store', async (check, users) => {
    await done(users.putAll(Array.from({ length: 1200 }, (_, n) => sampleUser(n))))
    for (let round = 0; round < 20; round += 1)
      for await (const batch of users.all()) {
        check.ok(batch.length > 0)
        break
      }
    check.same((await everybody(users)).length, 1200)
  })
}
