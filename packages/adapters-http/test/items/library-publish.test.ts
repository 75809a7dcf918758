import type { TimeZone } from '@almoner/domain/values'
import t from 'tap'
import { startFixture } from '../support/fixture.ts'
import { create, createLive, IMAGES, itemIn, look, onEachStore, update } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { imagePath, PNG, upload } from '../support/uploads.ts'

const { coverImgUrl, notificationImgUrl } = IMAGES
const live = { status: 'Live' }

onEachStore(
  t,
  'C6: a library item without cover and notification image cannot be published; both are named',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    const before = await look(fixture, 'library', itemId)
    for (const [sent, missing] of [
      [{}, ['coverImgUrl', 'notificationImgUrl']],
      [{ coverImgUrl }, ['notificationImgUrl']],
      [{ notificationImgUrl }, ['coverImgUrl']],
      [{ coverImgUrl: '', notificationImgUrl: '' }, ['coverImgUrl', 'notificationImgUrl']],
      [{ coverImgUrl: null, notificationImgUrl: null }, ['coverImgUrl', 'notificationImgUrl']],
    ] as const) {
      const problem = await seeProblem(
        t,
        await update(fixture, 'library', itemId, { ...live, ...sent }),
        'invalid_request',
      )
      t.strictSame(fieldsOf(problem), missing, JSON.stringify(sent))
    }
    t.strictSame(await look(fixture, 'library', itemId), before, 'nothing has changed')
  },
)

onEachStore(
  t,
  'C6: an image comes from the parameter if sent, otherwise from the item',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    t.match(await itemIn(await update(fixture, 'library', itemId, { coverImgUrl })), {
      coverImgUrl,
      notificationImgUrl: '',
    })
    t.match(await itemIn(await update(fixture, 'library', itemId, { ...live, notificationImgUrl })), {
      ...live,
      ...IMAGES,
    })
    const other = 'https://example.org/other.png'
    t.match(await itemIn(await update(fixture, 'library', itemId, { ...live, coverImgUrl: other })), {
      ...IMAGES,
      coverImgUrl: other,
    })
    t.match(await itemIn(await update(fixture, 'library', itemId, live)), {
      ...live,
      ...IMAGES,
      coverImgUrl: other,
    })
  },
)

onEachStore(t, 'C6: uploaded images count as images of the item', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library')
  t.equal((await upload(fixture, imagePath('library', itemId, 'cover'))).status, 200)
  const half = await seeProblem(t, await update(fixture, 'library', itemId, live), 'invalid_request')
  t.strictSame(fieldsOf(half), ['notificationImgUrl'])
  t.equal((await upload(fixture, imagePath('library', itemId, 'notification'))).status, 200)
  t.match(await itemIn(await update(fixture, 'library', itemId, live)), live)
})

onEachStore(
  t,
  'C6: an empty image parameter is 400 with Live, and clears the image with Draft or Archived',
  async (t, fixture) => {
    for (const status of ['Draft', 'Archived']) {
      const { itemId } = await createLive(fixture, 'library')
      for (const field of ['coverImgUrl', 'notificationImgUrl']) {
        const problem = await seeProblem(
          t,
          await update(fixture, 'library', itemId, { ...live, [field]: '' }),
          'invalid_request',
        )
        t.strictSame(fieldsOf(problem), [field])
      }
      const cleared = await itemIn(
        await update(fixture, 'library', itemId, { status, coverImgUrl: '', notificationImgUrl: '' }),
      )
      t.match(cleared, { status, coverImgUrl: '', notificationImgUrl: '', itemRelatedLink: '' })
    }
  },
)

onEachStore(t, 'C6: null leaves an image unchanged, an empty form value clears it', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'library')
  t.match(
    await itemIn(await update(fixture, 'library', itemId, { coverImgUrl: null })),
    IMAGES,
    'null is absent',
  )
  const form = {
    itemTitle: 'a',
    itemDescription: 'b',
    link: 'https://example.org',
    status: 'Draft',
    coverImgUrl: '',
  }
  const answer = await fixture.call('POST', `/library/${itemId}`, { as: 'manager', form })
  t.match(await itemIn(answer), { coverImgUrl: '', notificationImgUrl })
})

onEachStore(
  t,
  'C6, D3: a URL of this service must name a stored image; all bad ones are named together',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    const gone = 'https://almoner.example.org/static/media/0000000000000000000000000.png'
    for (const status of ['Draft', 'Live']) {
      const answer = await update(fixture, 'library', itemId, {
        status,
        coverImgUrl: gone,
        notificationImgUrl: gone,
      })
      t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), [
        'coverImgUrl',
        'notificationImgUrl',
      ])
    }
  },
)

onEachStore(
  t,
  'interface, POST /library/<itemId>: coverImgUrl and notificationImgUrl are URLs',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    for (const bad of ['x', 'javascript:alert(1)', '/static/media/a.png', 'ftp://example.org/a.png', ' ']) {
      const answer = await update(fixture, 'library', itemId, { coverImgUrl: bad, notificationImgUrl: bad })
      t.strictSame(
        fieldsOf(await seeProblem(t, answer, 'invalid_request')),
        ['coverImgUrl', 'notificationImgUrl'],
        bad,
      )
    }
  },
)

onEachStore(
  t,
  'I1, C6: a 400 names first every bad field of the request, then every condition that the item fails',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    for (const [sent, expected] of [
      [{ itemTitle: '' }, ['itemTitle']],
      [{ itemTitle: '', coverImgUrl }, ['itemTitle']],
      [{ coverImgUrl: '', link: 'x', lang: 'de' }, ['coverImgUrl', 'lang', 'link']],
      [{ itemPublicationDate: '2023-02-30' }, ['itemPublicationDate']],
      [{}, ['coverImgUrl', 'notificationImgUrl']],
      [{ coverImgUrl }, ['notificationImgUrl']],
    ] as const) {
      const problem = await seeProblem(
        t,
        await update(fixture, 'library', itemId, { ...live, ...sent }),
        'invalid_request',
      )
      t.strictSame(fieldsOf(problem), expected, JSON.stringify(sent))
    }
    await upload(fixture, imagePath('library', itemId, 'cover'), { bytes: PNG })
    const problem = await seeProblem(t, await update(fixture, 'library', itemId, live), 'invalid_request')
    t.strictSame(fieldsOf(problem), ['notificationImgUrl'], 'images of the item are not named')
  },
)

const DATED = '2026-04-02'
const undated = { itemPublicationDate: undefined }

onEachStore(
  t,
  'C6: an omitted itemPublicationDate is today with Live and Archived, and unchanged with Draft',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library', { itemPublicationDate: DATED })
    const dated = async (over: object) =>
      (await itemIn(await update(fixture, 'library', itemId, { ...undated, ...over }))).itemPublicationDate
    t.equal(await dated({}), DATED, 'Draft')
    t.equal(await dated({ ...live, ...IMAGES }), '2026-05-01', 'Live: today')
    t.equal(await dated({ status: 'Draft', itemPublicationDate: DATED }), DATED, 'given')
    t.equal(await dated({ status: 'Archived' }), '2026-05-01', 'Archived: today')
    t.equal(await dated({ status: 'Archived', itemPublicationDate: DATED }), DATED, 'given')
    t.equal(await dated({ status: 'Archived', itemPublicationDate: '' }), '2026-05-01', 'empty means omitted')
  },
)

onEachStore(t, 'states: itemPublicationDate is needed only if it differs from today', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library', { itemPublicationDate: DATED })
  const sent = { ...live, ...IMAGES, itemPublicationDate: DATED }
  t.match(await itemIn(await update(fixture, 'library', itemId, sent)), { itemPublicationDate: DATED })
  for (const itemPublicationDate of ['2023-02-30', 'today', '2026-13-01']) {
    const problem = await seeProblem(
      t,
      await update(fixture, 'library', itemId, { ...sent, itemPublicationDate }),
      'invalid_request',
    )
    t.strictSame(fieldsOf(problem), ['itemPublicationDate'])
  }
})

t.test("B8: today is the day in the service's time zone", async (t) => {
  for (const [timeZone, today] of [
    ['Pacific/Auckland', '2026-05-02'],
    ['UTC', '2026-05-01'],
    ['Pacific/Kiritimati', '2026-05-02'],
    ['Pacific/Pago_Pago', '2026-05-01'],
  ] as const) {
    const fixture = await startFixture(t.testdir(), { policy: { timeZone: timeZone as TimeZone } })
    const { itemId } = await create(fixture, 'library')
    const item = await itemIn(await update(fixture, 'library', itemId, { ...live, ...IMAGES, ...undated }))
    t.equal(item.itemPublicationDate, today, timeZone)
    await fixture.stop()
  }
})

onEachStore(t, 'C8: removing an image that a Live library item needs is 409', async (t, fixture) => {
  for (const which of ['cover', 'notification']) {
    const { itemId } = await createLive(fixture, 'library')
    await upload(fixture, imagePath('library', itemId, which))
    const before = await look(fixture, 'library', itemId)
    await seeProblem(
      t,
      await fixture.call('DELETE', imagePath('library', itemId, which), { as: 'manager' }),
      'image_needed',
    )
    t.strictSame(await look(fixture, 'library', itemId), before, 'nothing has changed')
    t.equal((await update(fixture, 'library', itemId, { status: 'Draft' })).status, 200)
    t.equal(
      (await fixture.call('DELETE', imagePath('library', itemId, which), { as: 'manager' })).status,
      200,
      'as a Draft',
    )
  }
})

onEachStore(t, 'C8: the images of a Live library item can be replaced', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'library')
  t.equal((await upload(fixture, imagePath('library', itemId, 'cover'))).status, 200)
  const { item } = await look(fixture, 'library', itemId)
  t.match(item, { status: 'Live', notificationImgUrl, coverImgUrl: /\/static\/media\/.+\.png$/ })
})
