import t from 'tap'
import type { Fixture, Who } from '../support/fixture.ts'
import { create, createLive, look, onEachStore, PHOTO, type SeenItem, update } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import { filesIn, imagePath, upload } from '../support/uploads.ts'

// D4: who may set the image of a feed item, for every status and caller.

const illustrated = async (fixture: Fixture, item: SeenItem): Promise<SeenItem> => {
  const answer = await upload(fixture, imagePath('feed', item.itemId))
  if (answer.status !== 200) throw new Error('expected an image')
  return item
}

const archived = async (fixture: Fixture, over = {}): Promise<SeenItem> => {
  const item = await create(fixture, 'feed', over)
  await update(fixture, 'feed', item.itemId, { ...over, status: 'Archived' })
  return item
}

const RESTRICTED = { isDonorRestricted: '1' }

const MAKE: Readonly<Record<string, (fixture: Fixture) => Promise<SeenItem>>> = {
  'a Draft without an image': (fixture) => create(fixture, 'feed', PHOTO),
  'a restricted Draft without an image': (fixture) => create(fixture, 'feed', RESTRICTED),
  'a Draft with an image': async (fixture) => illustrated(fixture, await create(fixture, 'feed')),
  'a Live item without an image': (fixture) => createLive(fixture, 'feed'),
  'a Live item with an image': async (fixture) => illustrated(fixture, await createLive(fixture, 'feed')),
  'a restricted Live item without an image': (fixture) => createLive(fixture, 'feed', RESTRICTED),
  'a restricted Live item with an image': async (fixture) =>
    illustrated(fixture, await createLive(fixture, 'feed', RESTRICTED)),
  'an Archived item without an image': (fixture) => archived(fixture),
  'an Archived item with an image': async (fixture) => illustrated(fixture, await archived(fixture)),
}

const CALLERS = ['user', 'donor', 'userManager', 'manager', 'admin'] as const

/** Statuses in the order of {@link CALLERS}: 403 for an item that the caller may see, 404 for one that it may not. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<number>>> = {
  'a Draft without an image': [200, 200, 200, 200, 200],
  'a restricted Draft without an image': [200, 200, 200, 200, 200],
  'a Draft with an image': [404, 404, 404, 200, 200],
  'a Live item without an image': [403, 403, 403, 200, 200],
  'a Live item with an image': [403, 403, 403, 200, 200],
  'a restricted Live item without an image': [404, 403, 403, 200, 200],
  'a restricted Live item with an image': [404, 403, 403, 200, 200],
  'an Archived item without an image': [404, 404, 404, 200, 200],
  'an Archived item with an image': [404, 404, 404, 200, 200],
}

const CODES = { 403: 'insufficient_scope', 404: 'not_found' } as const

for (const [which, make] of Object.entries(MAKE))
  onEachStore(
    t,
    `D4: the callers who may set the image of ${which}`,
    async (t, fixture) => {
      for (const [n, as] of CALLERS.entries()) {
        const { itemId } = await make(fixture)
        const before = await look(fixture, 'feed', itemId)
        const files = filesIn(fixture)
        const answer = await upload(fixture, imagePath('feed', itemId), {}, { as })
        const expected = EXPECTED[which]?.[n]
        const after = await look(fixture, 'feed', itemId)
        if (expected === 403 || expected === 404) {
          await seeProblem(t, answer, CODES[expected], as)
          t.strictSame(after, before, 'the item is unchanged')
          t.strictSame(filesIn(fixture), files, 'no file was added or deleted')
        } else {
          t.equal(answer.status, expected, as)
          t.not(after.item.itemRelatedLink, before.item.itemRelatedLink)
          t.equal(await answer.json(), after.item.itemRelatedLink)
          t.equal(after.item.status, before.item.status, 'its status stays')
        }
      }
    },
    { store: 'memory' },
  )

onEachStore(t, 'D4: 403 names the required scope', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'feed')
  const answer = await upload(fixture, imagePath('feed', itemId), {}, { as: 'user' })
  t.match(
    answer.headers.get('www-authenticate'),
    /^Bearer .*error="insufficient_scope", scope="content-manager"$/,
  )
})

onEachStore(
  t,
  'D4: a forbidden upload is rejected before the image and If-Match are checked',
  async (t, fixture) => {
    const live = await createLive(fixture, 'feed')
    const hidden = await illustrated(fixture, await create(fixture, 'feed'))
    const junk = { bytes: Buffer.from('no image') }
    const stale = { 'if-match': '"stale"' }
    for (const [itemId, code] of [
      [live.itemId, 'insufficient_scope'],
      [hidden.itemId, 'not_found'],
      ['unknown', 'not_found'],
    ] as const)
      for (const headers of [{}, stale])
        await seeProblem(
          t,
          await upload(fixture, imagePath('feed', itemId), junk, { as: 'user', headers }),
          code,
        )
  },
)

onEachStore(t, 'D4: a Draft accepts an image again after a manager removed its image', async (t, fixture) => {
  const { itemId } = await create(fixture, 'feed')
  const path = imagePath('feed', itemId)
  for (const as of ['user', 'donor'] as const) {
    t.equal((await upload(fixture, path, {}, { as })).status, 200, as)
    await seeProblem(t, await upload(fixture, path, {}, { as }), 'not_found', 'twice')
    t.equal((await fixture.call('DELETE', path, { as: 'manager' })).status, 200)
  }
})

onEachStore(
  t,
  'D4: of users who add an image to one Draft concurrently, one succeeds',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'feed')
    const callers: ReadonlyArray<Who> = ['user', 'donor', 'userManager', 'user', 'donor', 'user']
    const answers = await Promise.all(
      callers.map((as) => upload(fixture, imagePath('feed', itemId), {}, { as })),
    )
    t.strictSame(answers.map(({ status }) => status).toSorted(), [200, 404, 404, 404, 404, 404])
    const [name, ...others] = filesIn(fixture)
    t.strictSame(others, [], 'the images of the others are deleted')
    t.match((await look(fixture, 'feed', itemId)).item.itemRelatedLink, name)
  },
)

onEachStore(
  t,
  'interface, POST /feed/<itemId>/media: an item approved with its image stays unchanged',
  async (t, fixture) => {
    const { itemId } = await illustrated(fixture, await create(fixture, 'feed', PHOTO))
    const { itemType, ...rest } = PHOTO
    t.equal((await update(fixture, 'feed', itemId, { ...rest, itemType, status: 'Live' })).status, 200)
    const before = await look(fixture, 'feed', itemId)
    for (const as of ['user', 'donor', 'userManager'] as const)
      await seeProblem(t, await upload(fixture, imagePath('feed', itemId), {}, { as }), 'insufficient_scope')
    t.strictSame(await look(fixture, 'feed', itemId), before)
  },
)
