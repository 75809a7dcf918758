import t from 'tap'
import { create, createLive, look, onEachStore, PHOTO, type SeenItem, update } from './support/items.ts'
import { seeProblem } from './support/problems.ts'
import type { Rig, Who } from './support/rig.ts'
import { filesIn, imagePath, upload } from './support/uploads.ts'

// D4: who may put an image on a feed item. Every state of an item, every caller.

const illustrated = async (rig: Rig, item: SeenItem): Promise<SeenItem> => {
  const answer = await upload(rig, imagePath('feed', item.itemId))
  if (answer.status !== 200) throw new Error('expected an image')
  return item
}

const archived = async (rig: Rig, over = {}): Promise<SeenItem> => {
  const item = await create(rig, 'feed', over)
  await update(rig, 'feed', item.itemId, { ...over, status: 'Archived' })
  return item
}

const RESTRICTED = { isDonorRestricted: '1' }

const MAKE: Readonly<Record<string, (rig: Rig) => Promise<SeenItem>>> = {
  'a Draft without an image': (rig) => create(rig, 'feed', PHOTO),
  'a restricted Draft without an image': (rig) => create(rig, 'feed', RESTRICTED),
  'a Draft with an image': async (rig) => illustrated(rig, await create(rig, 'feed')),
  'a Live item without an image': (rig) => createLive(rig, 'feed'),
  'a Live item with an image': async (rig) => illustrated(rig, await createLive(rig, 'feed')),
  'a restricted Live item without an image': (rig) => createLive(rig, 'feed', RESTRICTED),
  'a restricted Live item with an image': async (rig) =>
    illustrated(rig, await createLive(rig, 'feed', RESTRICTED)),
  'an Archived item without an image': (rig) => archived(rig),
  'an Archived item with an image': async (rig) => illustrated(rig, await archived(rig)),
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
    `D4: who may put an image on ${which}`,
    async (t, rig) => {
      for (const [n, as] of CALLERS.entries()) {
        const { itemId } = await make(rig)
        const before = await look(rig, 'feed', itemId)
        const files = filesIn(rig)
        const answer = await upload(rig, imagePath('feed', itemId), {}, { as })
        const expected = EXPECTED[which]?.[n]
        const after = await look(rig, 'feed', itemId)
        if (expected === 403 || expected === 404) {
          await seeProblem(t, answer, CODES[expected], as)
          t.strictSame(after, before, 'the item is unchanged')
          t.strictSame(filesIn(rig), files, 'no file came or went')
        } else {
          t.equal(answer.status, expected, as)
          t.not(after.item.itemRelatedLink, before.item.itemRelatedLink)
          t.equal(await answer.json(), after.item.itemRelatedLink)
          t.equal(after.item.status, before.item.status, 'and its state stays')
        }
      }
    },
    { store: 'memory' },
  )

onEachStore(t, 'D4: 403 says which scope would do', async (t, rig) => {
  const { itemId } = await createLive(rig, 'feed')
  const answer = await upload(rig, imagePath('feed', itemId), {}, { as: 'user' })
  t.match(
    answer.headers.get('www-authenticate'),
    /^Bearer .*error="insufficient_scope", scope="content-manager"$/,
  )
})

onEachStore(
  t,
  'D4: whoever may not is told so before the image is looked at, and before If-Match',
  async (t, rig) => {
    const live = await createLive(rig, 'feed')
    const hidden = await illustrated(rig, await create(rig, 'feed'))
    const junk = { bytes: Buffer.from('no image') }
    const stale = { 'if-match': '"stale"' }
    for (const [itemId, code] of [
      [live.itemId, 'insufficient_scope'],
      [hidden.itemId, 'not_found'],
      ['unknown', 'not_found'],
    ] as const)
      for (const headers of [{}, stale])
        await seeProblem(t, await upload(rig, imagePath('feed', itemId), junk, { as: 'user', headers }), code)
  },
)

onEachStore(t, 'D4: a Draft that a manager took the image from takes one again', async (t, rig) => {
  const { itemId } = await create(rig, 'feed')
  const path = imagePath('feed', itemId)
  for (const as of ['user', 'donor'] as const) {
    t.equal((await upload(rig, path, {}, { as })).status, 200, as)
    await seeProblem(t, await upload(rig, path, {}, { as }), 'not_found', 'twice')
    t.equal((await rig.call('DELETE', path, { as: 'manager' })).status, 200)
  }
})

onEachStore(t, 'D4: of users that put an image on one Draft together, one succeeds', async (t, rig) => {
  const { itemId } = await create(rig, 'feed')
  const callers: ReadonlyArray<Who> = ['user', 'donor', 'userManager', 'user', 'donor', 'user']
  const answers = await Promise.all(callers.map((as) => upload(rig, imagePath('feed', itemId), {}, { as })))
  t.strictSame(answers.map(({ status }) => status).toSorted(), [200, 404, 404, 404, 404, 404])
  const [name, ...others] = filesIn(rig)
  t.strictSame(others, [], 'the images of the others are gone')
  t.match((await look(rig, 'feed', itemId)).item.itemRelatedLink, name)
})

onEachStore(
  t,
  'interface, POST /feed/<itemId>/media: an item approved with its image stays as it was approved',
  async (t, rig) => {
    const { itemId } = await illustrated(rig, await create(rig, 'feed', PHOTO))
    const { itemType, ...rest } = PHOTO
    t.equal((await update(rig, 'feed', itemId, { ...rest, itemType, status: 'Live' })).status, 200)
    const before = await look(rig, 'feed', itemId)
    for (const as of ['user', 'donor', 'userManager'] as const)
      await seeProblem(t, await upload(rig, imagePath('feed', itemId), {}, { as }), 'insufficient_scope')
    t.strictSame(await look(rig, 'feed', itemId), before)
  },
)
