import t from 'tap'
import type { Fixture } from '../support/fixture.ts'
import { create, itemIn, itemsIn, onEachStore, onServer } from '../support/items.ts'
import { AMINA } from '../support/people.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM } from '../support/samples.ts'

// J4: include=author, for content managers.

const list = (fixture: Fixture, as: 'user' | 'donor' | 'manager', include: string, path = '/feed/') =>
  fixture.call('GET', path, { as, query: { include } })

onEachStore(t, 'J4: include=author adds client and email, and "" where unknown', async (t, fixture) => {
  await itemIn(await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM }))
  await create(fixture, 'feed')
  const authors = (await itemsIn(await list(fixture, 'manager', 'labels,author'))).map(
    (item) => (item as unknown as { readonly author: unknown }).author,
  )
  const [managers, donors] = authors
  t.match(managers, { clientId: /./, email: '' })
  t.match(donors, { clientId: /./, email: AMINA })
  const erased = await fixture.call('DELETE', `/user/${encodeURIComponent(AMINA)}`, { as: 'userManager' })
  t.equal(erased.status, 200)
  const [, after] = await itemsIn(await list(fixture, 'manager', 'author'))
  t.match(after, { author: { clientId: '', email: '' } })
})

onServer(
  t,
  'J4: authors are for content managers, and not in the library; 400 comes first',
  async (t, fixture) => {
    await create(fixture, 'feed')
    for (const as of ['user', 'donor'] as const) {
      const refused = await list(fixture, as, 'author')
      t.match(refused.headers.get('www-authenticate'), /scope="content-manager"/)
      await seeProblem(t, refused, 'insufficient_scope')
      const wrong = await list(fixture, as, 'author,nothing')
      t.strictSame(fieldsOf(await seeProblem(t, wrong, 'invalid_request')), ['include'])
      t.equal((await list(fixture, as, 'labels')).status, 200)
    }
    const library = await list(fixture, 'manager', 'author', '/library/')
    t.strictSame(fieldsOf(await seeProblem(t, library, 'invalid_request')), ['include'])
  },
)

const reads: Array<number> = []

onServer(
  t,
  'J4: the authors of a page cost one more read, not one an item',
  async (t, fixture) => {
    for (let n = 0; n < 3; n += 1) await create(fixture, 'feed')
    t.equal((await itemsIn(await list(fixture, 'manager', 'author'))).length, 3)
    t.strictSame(reads, [3])
  },
  {
    wrap: (ports) => ({
      ...ports,
      feedAuthors: {
        ...ports.feedAuthors,
        ofPosts: (ids) => {
          reads.push(ids.length)
          return ports.feedAuthors.ofPosts(ids)
        },
      },
    }),
  },
)
