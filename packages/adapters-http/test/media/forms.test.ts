import t, { type Test } from 'tap'
import type { Fixture } from '../support/fixture.ts'
import { create, itemsIn, look, onServer } from '../support/items.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FIELD, fileForm, filesIn, imagePath, JPEG, PNG, served, upload } from '../support/uploads.ts'

// D1: the part of a form that is the image, and errors for none or too many.

const CONTENT_TYPES = ['library', 'feed'] as const
type ContentType = (typeof CONTENT_TYPES)[number]

const png = () => new File([Buffer.from(PNG)], 'a.png', { type: 'image/png' })
const junk = (name = 'b.png') => new File(['no image'], name, { type: 'image/png' })

const formOf = (...parts: ReadonlyArray<readonly [string, File | string]>): FormData => {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}

const send = (fixture: Fixture, contentType: ContentType, itemId: string, multipart: FormData) =>
  fixture.call('POST', imagePath(contentType, itemId), { as: 'manager', multipart })

/** Asserts that a form is rejected because of its image, and that nothing has changed. */
const refuses = async (
  t: Test,
  fixture: Fixture,
  contentType: ContentType,
  form: FormData,
  about: string,
) => {
  const { itemId } = await create(fixture, contentType)
  const before = await look(fixture, contentType, itemId)
  const files = filesIn(fixture)
  const problem = await seeProblem(
    t,
    await send(fixture, contentType, itemId, form),
    'invalid_request',
    about,
  )
  t.strictSame(fieldsOf(problem), [FIELD], about)
  t.strictSame(await look(fixture, contentType, itemId), before, 'nothing has changed')
  t.strictSame(filesIn(fixture), files)
}

/** Asserts that a form is accepted, and that its PNG is the image now. */
const takes = async (t: Test, fixture: Fixture, contentType: ContentType, form: FormData, about: string) => {
  const { itemId } = await create(fixture, contentType)
  const answer = await send(fixture, contentType, itemId, form)
  t.equal(answer.status, 200, about)
  const { item } = await look(fixture, contentType, itemId)
  const image = await served(fixture, item.itemRelatedLink)
  t.equal(image.headers.get('content-type'), 'image/png', about)
}

for (const contentType of CONTENT_TYPES) {
  onServer(t, `D1: an upload to the ${contentType} without a file is 400`, async (t, fixture) => {
    await refuses(t, fixture, contentType, formOf(['other', 'text']), 'a form without files')
    await refuses(t, fixture, contentType, formOf([FIELD, '']), 'a form whose file was not chosen')
    await refuses(t, fixture, contentType, formOf([FIELD, 'text'], [FIELD, 'text']), 'two of that name')
    const { itemId } = await create(fixture, contentType)
    const text = await send(fixture, contentType, itemId, formOf([FIELD, 'text instead of an image']))
    await seeProblem(t, text, 'unsupported_media_type', 'B10: a part of that name is a file')
  })

  onServer(t, `D1: an upload to the ${contentType} that is not a form is 400 or 415`, async (t, fixture) => {
    const { itemId } = await create(fixture, contentType)
    const before = await look(fixture, contentType, itemId)
    const path = imagePath(contentType, itemId)
    for (const body of [{ json: {} }, { json: { [FIELD]: 'x' } }, { form: { [FIELD]: 'x' } }, {}]) {
      const problem = await seeProblem(
        t,
        await fixture.call('POST', path, { as: 'manager', ...body }),
        'invalid_request',
      )
      t.strictSame(fieldsOf(problem), [FIELD], JSON.stringify(body))
    }
    const raw = await fixture.call('POST', path, {
      as: 'manager',
      body: PNG,
      headers: { 'content-type': 'image/png' },
    })
    await seeProblem(t, raw, 'unsupported_media_type', 'the image itself')
    t.strictSame(await look(fixture, contentType, itemId), before)
    t.strictSame(filesIn(fixture), [])
  })

  onServer(t, `D1, B2: two files with one name to the ${contentType} are 400`, async (t, fixture) => {
    await refuses(t, fixture, contentType, formOf([FIELD, png()], [FIELD, png()]), 'two images')
    await refuses(
      t,
      fixture,
      contentType,
      formOf([FIELD, png()], ['x', 'y'], [FIELD, junk()]),
      'an image and something else',
    )
    await refuses(t, fixture, contentType, formOf([FIELD, junk()], [FIELD, png()]), 'the other way round')
  })

  onServer(
    t,
    `D1: other fields of a form to the ${contentType} do not matter, wherever they are`,
    async (t, fixture) => {
      await takes(
        t,
        fixture,
        contentType,
        formOf(['a', 'b'], [FIELD, png()], ['c', 'd'], ['c', 'd']),
        'around the file',
      )
      await takes(
        t,
        fixture,
        contentType,
        formOf([FIELD, png()], ['itemTitle', ''], ['lim', 'x']),
        'known elsewhere',
      )
    },
  )

  onServer(
    t,
    `A5: the token may be a field of the form to the ${contentType}, before or after the file`,
    async (t, fixture) => {
      const token = await fixture.token('manager')
      for (const isBefore of [true, false]) {
        const { itemId } = await create(fixture, contentType)
        const parts = [
          ['access_token', token],
          [FIELD, png()],
        ] as const
        const form = formOf(...(isBefore ? parts : parts.toReversed()))
        const answer = await fixture.call('POST', imagePath(contentType, itemId), { multipart: form })
        t.equal(answer.status, 200, isBefore ? 'before' : 'after')
        t.not((await look(fixture, contentType, itemId)).item.itemRelatedLink, '')
      }
    },
  )

  onServer(
    t,
    `A5: a form to the ${contentType} without a token, or with a bad one, leaves nothing`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const path = imagePath(contentType, itemId)
      const bad = ['access_token', 'bad'] as const
      for (const form of [formOf([FIELD, png()]), formOf(bad, [FIELD, png()]), formOf([FIELD, png()], bad)])
        await seeProblem(t, await fixture.call('POST', path, { multipart: form }), 'invalid_token')
      const both = formOf([FIELD, png()], ['access_token', await fixture.token('manager')])
      await seeProblem(
        t,
        await fixture.call('POST', path, { as: 'manager', multipart: both }),
        'invalid_request',
        'twice',
      )
      t.equal((await look(fixture, contentType, itemId)).item.itemRelatedLink, '')
      t.strictSame(filesIn(fixture), [])
    },
  )

  onServer(
    t,
    `C4: an upload to an unknown ${contentType} item is 404 and leaves nothing`,
    async (t, fixture) => {
      await seeProblem(t, await upload(fixture, imagePath(contentType, 'unknown')), 'not_found')
      t.strictSame(filesIn(fixture), [])
    },
  )

  onServer(
    t,
    `limits: an upload to the ${contentType} may have 10 MiB, with any other fields`,
    async (t, fixture) => {
      const { itemId } = await create(fixture, contentType)
      const large = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.png')
      for (const form of [formOf([FIELD, large]), formOf([FIELD, large], ['after', 'x'], ['other', png()])])
        await seeProblem(t, await send(fixture, contentType, itemId, form), 'content_too_large')
      t.strictSame(filesIn(fixture), [])
    },
  )
}

onServer(t, 'D1: the image of a library item is the first file part, with any name', async (t, fixture) => {
  for (const field of ['image', 'coverImgUrl', 'file[]', 'é', ' '])
    await takes(t, fixture, 'library', fileForm({ field }), field)
  await takes(t, fixture, 'library', formOf(['first', png()], ['second', junk()]), 'two names: the first')
  await takes(t, fixture, 'library', formOf(['first', png()], [FIELD, junk()]), 'even before itemUploadMedia')
  const { itemId } = await create(fixture, 'library')
  const answer = await send(fixture, 'library', itemId, formOf(['first', junk()], [FIELD, png()]))
  await seeProblem(t, answer, 'unsupported_media_type', 'the first one counts')
})

onServer(t, 'interface, POST /feed/<itemId>/media: the file part is itemUploadMedia', async (t, fixture) => {
  for (const field of ['image', 'ItemUploadMedia', 'itemUploadMedia[]', 'file'])
    await refuses(t, fixture, 'feed', fileForm({ field }), field)
  await takes(t, fixture, 'feed', formOf(['first', junk()], [FIELD, png()], ['last', junk()]), 'among others')
})

onServer(t, 'interface: uploading the cover does not change the notification image', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library')
  t.equal((await upload(fixture, imagePath('library', itemId, 'cover'))).status, 200)
  t.equal((await upload(fixture, imagePath('library', itemId, 'notification'), { bytes: JPEG })).status, 200)
  const { item } = await look(fixture, 'library', itemId)
  t.match(item.coverImgUrl, /\.png$/)
  t.match(item.notificationImgUrl, /\.jpg$/)
  t.equal(filesIn(fixture).length, 2)
  await seeProblem(
    t,
    await upload(fixture, imagePath('library', itemId, 'banner')),
    'not_found',
    'there is no third image',
  )
})

onServer(
  t,
  'interface: only content managers upload to and remove from library items',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    await upload(fixture, imagePath('library', itemId))
    for (const as of ['user', 'donor', 'userManager'] as const) {
      await seeProblem(
        t,
        await upload(fixture, imagePath('library', itemId), {}, { as }),
        'insufficient_scope',
        as,
      )
      await seeProblem(
        t,
        await fixture.call('DELETE', imagePath('library', itemId), { as }),
        'insufficient_scope',
        as,
      )
      await seeProblem(
        t,
        await fixture.call('DELETE', '/feed/any/media/', { as }),
        'insufficient_scope',
        `${as}, feed`,
      )
    }
    t.equal(filesIn(fixture).length, 1)
    t.equal((await upload(fixture, imagePath('library', itemId), {}, { as: 'admin' })).status, 200)
    t.equal((await itemsIn(await fixture.call('GET', '/library/', { as: 'admin' }))).length, 1)
  },
)
