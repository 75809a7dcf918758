import t from 'tap'
import type { Fixture } from '../support/fixture.ts'
import { create, createLive, itemIn, look, onEachStore, PHOTO, update } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { imagePath, upload } from '../support/uploads.ts'

const link = 'https://example.org/page'
const vlink = 'https://example.org/film'
const live = { status: 'Live' }

/** Without links, so that only the links of the test are sent. */
const bare = { link: undefined, vlink: undefined }

const OF_TYPE = {
  photo: { ...PHOTO, ...bare },
  link: { ...bare, itemType: 'link', link },
  vlink: { ...bare, itemType: 'vlink', vlink },
}

const remove = (fixture: Fixture, itemId: string) =>
  fixture.call('DELETE', `/feed/${itemId}/media/`, { as: 'manager' })

for (const kind of ['link', 'vlink'] as const)
  onEachStore(t, `C7: ${kind} must be sent with every update of its type`, async (t, fixture) => {
    const { itemId } = await createLive(fixture, 'feed', OF_TYPE[kind])
    const before = await look(fixture, 'feed', itemId)
    for (const status of ['Draft', 'Live', 'Archived'])
      for (const none of [undefined, '', null]) {
        const answer = await update(fixture, 'feed', itemId, { ...OF_TYPE[kind], [kind]: none, status })
        t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), [kind], `${status} ${none}`)
      }
    t.strictSame(await look(fixture, 'feed', itemId), before, 'nothing has changed')
    const other = `${OF_TYPE[kind][kind]}/2`
    t.match(
      await itemIn(await update(fixture, 'feed', itemId, { ...OF_TYPE[kind], ...live, [kind]: other })),
      {
        ...live,
        [kind]: other,
      },
    )
  })

onEachStore(t, 'C7: a link post or vlink post is Live with its link alone', async (t, fixture) => {
  for (const kind of ['link', 'vlink'] as const)
    t.match(await createLive(fixture, 'feed', OF_TYPE[kind]), { status: 'Live', itemType: kind })
})

onEachStore(t, 'C7: a Live photo post needs a link to the photo or an uploaded image', async (t, fixture) => {
  const { itemId } = await create(fixture, 'feed', OF_TYPE.photo)
  const before = await look(fixture, 'feed', itemId)
  const problem = await seeProblem(
    t,
    await update(fixture, 'feed', itemId, { ...OF_TYPE.photo, ...live }),
    'invalid_request',
  )
  t.strictSame(fieldsOf(problem), ['link'])
  t.strictSame(await look(fixture, 'feed', itemId), before, 'nothing has changed')
  const withLink = await update(fixture, 'feed', itemId, { ...OF_TYPE.photo, ...live, link })
  t.match(await itemIn(withLink), { ...live, link, itemRelatedLink: '' }, 'a link')
  const uploaded = await create(fixture, 'feed', OF_TYPE.photo)
  t.equal((await upload(fixture, imagePath('feed', uploaded.itemId))).status, 200)
  const withImage = await update(fixture, 'feed', uploaded.itemId, { ...OF_TYPE.photo, ...live })
  t.match(
    await itemIn(withImage),
    { ...live, link: '', itemRelatedLink: /\/static\/media\/.+\.png$/ },
    'an image',
  )
})

onEachStore(t, 'C7: a photo post without photo may be a Draft and be archived', async (t, fixture) => {
  const { itemId } = await create(fixture, 'feed', OF_TYPE.photo)
  for (const status of ['Draft', 'Archived', 'Draft'])
    t.match(await itemIn(await update(fixture, 'feed', itemId, { ...OF_TYPE.photo, status })), {
      status,
      link: '',
    })
})

onEachStore(t, 'C7: an update without the link to a photo keeps it', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'feed', { ...OF_TYPE.photo, link })
  t.match(await itemIn(await update(fixture, 'feed', itemId, { ...OF_TYPE.photo, ...live })), {
    ...live,
    link,
  })
})

onEachStore(t, 'C5, C7: editing a Live post checks the conditions of its new type', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'feed', OF_TYPE.link)
  const before = await look(fixture, 'feed', itemId)
  const photo = await update(fixture, 'feed', itemId, { ...OF_TYPE.photo, ...live })
  t.strictSame(fieldsOf(await seeProblem(t, photo, 'invalid_request')), ['link'], 'a web page is not a photo')
  const film = await update(fixture, 'feed', itemId, { ...OF_TYPE.vlink, vlink: '', ...live })
  t.strictSame(fieldsOf(await seeProblem(t, film, 'invalid_request')), ['vlink'])
  t.strictSame(await look(fixture, 'feed', itemId), before, 'nothing has changed')
  t.match(await itemIn(await update(fixture, 'feed', itemId, { ...OF_TYPE.vlink, ...live })), {
    itemType: 'vlink',
    vlink,
  })
})

onEachStore(
  t,
  'interface, POST /feed/<itemId>: itemType is required, one of photo, link, vlink',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'feed')
    for (const itemType of [undefined, '', 'Photo', 'video']) {
      const answer = await update(fixture, 'feed', itemId, { itemType })
      t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), ['itemType'], `${itemType}`)
    }
  },
)

onEachStore(
  t,
  'I1, C7: a 400 names first every bad field of the request, then every condition that the post fails',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'feed', OF_TYPE.photo)
    for (const [sent, expected] of [
      [{ ...OF_TYPE.photo, itemTitle: '' }, ['itemTitle']],
      [{ ...OF_TYPE.photo, itemDescription: '', lang: 'de' }, ['itemDescription', 'lang']],
      [OF_TYPE.photo, ['link']],
      [{ ...OF_TYPE.link, link: '', itemTitle: '', vlink: 'y' }, ['itemTitle', 'link', 'vlink']],
      [{ ...OF_TYPE.vlink, vlink: '', link: 'x' }, ['link', 'vlink']],
    ] as const) {
      const problem = await seeProblem(
        t,
        await update(fixture, 'feed', itemId, { ...sent, ...live }),
        'invalid_request',
      )
      t.strictSame(fieldsOf(problem), expected, JSON.stringify(sent))
    }
  },
)

onEachStore(t, 'C8: removing the image that a Live photo needs is 409', async (t, fixture) => {
  const { itemId } = await create(fixture, 'feed', OF_TYPE.photo)
  await upload(fixture, imagePath('feed', itemId))
  await itemIn(await update(fixture, 'feed', itemId, { ...OF_TYPE.photo, ...live }))
  const before = await look(fixture, 'feed', itemId)
  await seeProblem(t, await remove(fixture, itemId), 'image_needed')
  t.strictSame(await look(fixture, 'feed', itemId), before, 'nothing has changed')
  await itemIn(await update(fixture, 'feed', itemId, { ...OF_TYPE.photo }))
  t.equal((await remove(fixture, itemId)).status, 200, 'as a Draft')
})

onEachStore(t, 'C8: an image that a Live post does not need can be removed', async (t, fixture) => {
  for (const sent of [{ ...OF_TYPE.photo, link }, OF_TYPE.link, OF_TYPE.vlink]) {
    const { itemId } = await createLive(fixture, 'feed', sent)
    t.equal((await upload(fixture, imagePath('feed', itemId))).status, 200)
    t.equal((await remove(fixture, itemId)).status, 200, sent.itemType)
    t.match((await look(fixture, 'feed', itemId)).item, { status: 'Live', itemRelatedLink: '' })
  }
})
