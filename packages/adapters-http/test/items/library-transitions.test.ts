import t from 'tap'
import { create, createIn, createLive, IMAGES, itemIn, look, onEachStore, update } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

const CONTENT_TYPES = ['library', 'feed'] as const
const STATES = ['Draft', 'Live', 'Archived'] as const

/** C5, written out to detect errors in the domain's table. */
const MAY: Readonly<Record<string, ReadonlyArray<string>>> = {
  Draft: ['Live', 'Archived', 'Draft'],
  Live: ['Draft', 'Archived', 'Live'],
  Archived: ['Draft', 'Archived'],
}

for (const contentType of CONTENT_TYPES) {
  onEachStore(t, `C5: all nine transitions of a ${contentType} item`, async (t, fixture) => {
    for (const from of STATES)
      for (const to of STATES) {
        const { itemId } = await createIn(fixture, contentType, from)
        const before = await look(fixture, contentType, itemId)
        t.equal(before.item.status, from)
        const answer = await update(fixture, contentType, itemId, {
          ...IMAGES,
          status: to,
          itemTitle: 'Moved',
        })
        if (MAY[from]?.includes(to)) {
          t.match(await itemIn(answer), { status: to, itemTitle: 'Moved' }, `${from} to ${to}`)
          t.match((await look(fixture, contentType, itemId)).item, { status: to, itemTitle: 'Moved' })
        } else {
          await seeProblem(t, answer, 'illegal_move', `${from} to ${to}`)
          t.strictSame(await look(fixture, contentType, itemId), before, 'nothing has changed')
        }
      }
  })

  onEachStore(
    t,
    `C5: Archived to Live is 409 for a ${contentType} item, restore to Draft first`,
    async (t, fixture) => {
      const { itemId } = await createIn(fixture, contentType, 'Archived')
      const { detail } = await seeProblem(
        t,
        await update(fixture, contentType, itemId, { ...IMAGES, status: 'Live' }),
        'illegal_move',
      )
      t.match(detail, /Draft first/)
      t.equal((await update(fixture, contentType, itemId, { status: 'Draft' })).status, 200)
      t.equal((await update(fixture, contentType, itemId, { ...IMAGES, status: 'Live' })).status, 200)
    },
  )

  onEachStore(
    t,
    `interface, POST /${contentType}/<itemId>: status is required, Live, Draft or Archived, matched exactly`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      for (const status of [undefined, '', 'live', 'LIVE', 'Published', ' Draft', null]) {
        const problem = await seeProblem(
          t,
          await update(fixture, contentType, itemId, { status }),
          'invalid_request',
        )
        t.strictSame(fieldsOf(problem), ['status'], `${status}`)
      }
    },
  )

  onEachStore(
    t,
    `states: only a content manager or super administrator updates a ${contentType} item`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const before = await look(fixture, contentType, itemId)
      for (const as of ['user', 'donor', 'userManager'] as const)
        for (const status of STATES)
          await seeProblem(
            t,
            await update(fixture, contentType, itemId, { status }, { as }),
            'insufficient_scope',
            `${as} ${status}`,
          )
      t.strictSame(await look(fixture, contentType, itemId), before)
      t.equal((await update(fixture, contentType, itemId, {}, { as: 'admin' })).status, 200)
    },
  )

  onEachStore(t, `C4: writing to an unknown ${contentType} item is 404`, async (t, fixture) => {
    for (const id of ['unknown', '01900000-0000-7000-8000-000000000001', '%20', '0'])
      await seeProblem(t, await update(fixture, contentType, id, { status: 'Draft' }), 'not_found', id)
  })

  onEachStore(
    t,
    `interface, POST /${contentType}/<itemId>: itemTitle and itemDescription are required; all bad fields at once`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const before = await look(fixture, contentType, itemId)
      const bare = await fixture.call('POST', `/${contentType}/${itemId}`, { as: 'manager', json: {} })
      const required = { library: ['link'], feed: ['itemType'] }[contentType]
      t.strictSame(
        fieldsOf(await seeProblem(t, bare, 'invalid_request')),
        ['itemDescription', 'itemTitle', ...required, 'status'].sort(),
      )
      const bad = {
        itemTitle: 'a'.repeat(101),
        itemDescription: 'a'.repeat(1001),
        link: 'x',
        lang: 'de',
        status: 'x',
      }
      const answer = await update(fixture, contentType, itemId, bad)
      t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), Object.keys(bad).sort())
      t.strictSame(await look(fixture, contentType, itemId), before, 'nothing has changed')
    },
  )

  onEachStore(
    t,
    `C6: lang and isDonorRestricted stay unchanged if a ${contentType} update omits them`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType, { lang: 'fr', isDonorRestricted: '1' })
      const kept = { lang: 'fr', isDonorRestricted: '1' }
      t.match(await itemIn(await update(fixture, contentType, itemId)), kept, 'omitted')
      t.match(
        await itemIn(await update(fixture, contentType, itemId, { lang: '', isDonorRestricted: null })),
        kept,
        'absent',
      )
      const changed = { lang: 'EN', isDonorRestricted: 'false' }
      t.match(await itemIn(await update(fixture, contentType, itemId, changed)), {
        lang: 'en',
        isDonorRestricted: '0',
      })
      t.match(
        await itemIn(await update(fixture, contentType, itemId, { isDonorRestricted: '' })),
        { isDonorRestricted: '1' },
        'B9: empty',
      )
    },
  )

  onEachStore(
    t,
    `B2: the itemId in the path of a ${contentType} update wins over one in body or query`,
    async (t, fixture) => {
      const one = await create(fixture, contentType)
      const other = await create(fixture, contentType)
      const answer = await update(
        fixture,
        contentType,
        one.itemId,
        { itemId: other.itemId, itemTitle: 'Changed' },
        { query: { itemId: other.itemId } },
      )
      t.match(await itemIn(answer), { itemId: one.itemId, itemTitle: 'Changed' })
      t.strictSame((await look(fixture, contentType, other.itemId)).item, other)
    },
  )

  onEachStore(t, `states: users see a ${contentType} item only while it is Live`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const seen = async () => (await fixture.call('GET', `/${contentType}/`, { as: 'user' })).text()
    t.notMatch(await seen(), itemId, 'a new Draft')
    for (const [status, isSeen] of [
      ['Live', true],
      ['Draft', false],
      ['Live', true],
      ['Archived', false],
      ['Draft', false],
      ['Live', true],
    ] as const) {
      t.equal((await update(fixture, contentType, itemId, { ...IMAGES, status })).status, 200)
      t.equal((await seen()).includes(itemId), isSeen, status)
    }
  })
}

onEachStore(t, 'C5: editing a Live library item checks the conditions again', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'library')
  const before = await look(fixture, 'library', itemId)
  const answer = await update(fixture, 'library', itemId, { status: 'Live', coverImgUrl: '' })
  t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), ['coverImgUrl'])
  t.strictSame(await look(fixture, 'library', itemId), before)
  t.equal((await update(fixture, 'library', itemId, { status: 'Live', itemTitle: 'Edited' })).status, 200)
})

onEachStore(
  t,
  'C5: the transition is checked before the conditions of the target state',
  async (t, fixture) => {
    const { itemId } = await createIn(fixture, 'library', 'Archived')
    await seeProblem(
      t,
      await update(fixture, 'library', itemId, { status: 'Live' }),
      'illegal_move',
      'no images either',
    )
  },
)
