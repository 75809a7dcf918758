import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { SECRET } from '../../../adapters-media/test/corpus/exif.ts'
import { lyingJpeg, talkativeJpeg } from '../../../adapters-media/test/corpus/jpeg-sound.ts'
import { BASE_URL, type Fixture } from '../support/fixture.ts'
import { create, look, onServer } from '../support/items.ts'
import { onEachMedia } from '../support/media.ts'
import { seeProblem } from '../support/problems.ts'
import { send } from '../support/raw.ts'
import { imagePath, JPEG, nameIn, PICTURE, PNG, served, storedIn, upload } from '../support/uploads.ts'

// D2: how stored images are named and served.

/** Uploads a cover. Returns its URL. */
const cover = async (fixture: Fixture, bytes: Uint8Array = PNG): Promise<string> => {
  const { itemId } = await create(fixture, 'library')
  const answer = await upload(fixture, imagePath('library', itemId), { bytes })
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`)
  return (await look(fixture, 'library', itemId)).item.coverImgUrl
}

const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())

onServer(
  t,
  'D2: an image has an unguessable name below {base_url}/static/media/',
  async (t, fixture) => {
    const urls = [await cover(fixture), await cover(fixture), await cover(fixture, JPEG)]
    for (const url of urls) {
      t.ok(url.startsWith(`${BASE_URL}/static/media/`))
      t.match(nameIn(url), /^[A-Za-z0-9_-]{22,}\.(png|jpg)$/, 'at least 128 random bits')
    }
    t.equal(new Set(urls).size, 3, 'the same image twice gets two names')
    t.strictSame(await storedIn(fixture), urls.map(nameIn).toSorted())
  },
  { realSecrets: true },
)

onEachMedia(
  t,
  'D2: an image is served to anyone, with its type, nosniff and immutable caching',
  async (t, fixture) => {
    for (const [bytes, type, format] of [
      [PNG, 'image/png', 'png'],
      [JPEG, 'image/jpeg', 'jpeg'],
    ] as const) {
      const url = await cover(fixture, bytes)
      const answer = await served(fixture, url)
      t.equal(answer.status, 200, 'without a token')
      t.equal(answer.headers.get('content-type'), type)
      t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      t.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      t.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
      const body = await bytesOf(answer)
      t.equal(answer.headers.get('content-length'), `${body.length}`)
      const [sent, came] = [await sharp(Buffer.from(bytes)).metadata(), await sharp(body).metadata()]
      t.strictSame([came.format, came.width, came.height], [format, sent.width, sent.height])
      const head = await served(fixture, url, { method: 'HEAD' })
      t.equal(head.status, 200)
      t.equal(head.headers.get('content-type'), type)
      t.equal(head.headers.get('content-length'), `${body.length}`)
      t.equal(await head.text(), '')
    }
  },
)

onServer(t, 'D1: a served image has normal orientation and no location', async (t, fixture) => {
  for (const bytes of [await lyingJpeg(), await talkativeJpeg()]) {
    const { itemId } = await create(fixture, 'feed')
    t.ok(Buffer.from(bytes).includes('EXIF') || Buffer.from(bytes).includes('Exif'), 'the upload has both')
    t.equal((await upload(fixture, imagePath('feed', itemId), { bytes })).status, 200)
    const body = await bytesOf(
      await served(fixture, (await look(fixture, 'feed', itemId)).item.itemRelatedLink),
    )
    const { width, height, orientation, exif, xmp, icc, iptc } = await sharp(body).metadata()
    t.strictSame([width, height, orientation ?? 1], [400, 560, 1])
    t.strictSame([exif, xmp, icc, iptc], [undefined, undefined, undefined, undefined])
    t.notOk(body.includes(SECRET))
  }
})

onEachMedia(t, 'D2: an image is served in ranges', async (t, fixture) => {
  const url = await cover(fixture, PICTURE)
  const whole = await bytesOf(await served(fixture, url))
  const size = whole.length
  t.equal((await served(fixture, url)).headers.get('accept-ranges'), 'bytes')
  for (const [range, from, to] of [
    ['0-0', 0, 0],
    ['0-99', 0, 99],
    ['100-199', 100, 199],
    [`${size - 10}-`, size - 10, size - 1],
    ['-10', size - 10, size - 1],
    [`5-${size + 5000}`, 5, size - 1],
  ] as const) {
    const answer = await served(fixture, url, { headers: { range: `bytes=${range}` } })
    t.equal(answer.status, 206, range)
    t.equal(answer.headers.get('content-range'), `bytes ${from}-${to}/${size}`)
    t.equal(answer.headers.get('content-type'), 'image/png')
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    t.strictSame(await bytesOf(answer), whole.subarray(from, to + 1))
  }
  const beyond = await served(fixture, url, { headers: { range: `bytes=${size}-` } })
  t.equal(beyond.headers.get('content-range'), `bytes */${size}`)
  await seeProblem(t, beyond, 'range_not_satisfiable')
  const strange = await served(fixture, url, { headers: { range: 'lines=1-2' } })
  t.equal(strange.status, 200, 'an unknown unit is ignored')
  t.strictSame(await bytesOf(strange), whole)
})

onEachMedia(t, 'D2: a matching If-None-Match of an image is 304', async (t, fixture) => {
  const url = await cover(fixture)
  const etag = (await served(fixture, url)).headers.get('etag') ?? ''
  // fetch would add Cache-Control: no-cache, which forces a full response.
  const again = await send(fixture.url, 'GET', new URL(url).pathname, { 'If-None-Match': etag })
  t.equal(again.status, 304)
  t.equal(again.body, '')
})

onServer(t, 'D2: unknown and temporary names are 404, like other files in the folder', async (t, fixture) => {
  await cover(fixture)
  writeFileSync(join(fixture.mediaFolder, '.tmp-1c6fb9f0-6a4b-4a3e-9d0a-0f3f5f0a0a0a'), PNG)
  for (const path of [
    '/static/media/unknown.png',
    '/static/media/0000000000000000000000000000000000000000000.png',
    '/static/media/.tmp-1c6fb9f0-6a4b-4a3e-9d0a-0f3f5f0a0a0a',
    '/static/media/%2Etmp-1c6fb9f0-6a4b-4a3e-9d0a-0f3f5f0a0a0a',
    '/static/media/..',
    '/static/media/../almoner.db',
    '/static/media/..%2Falmoner.db',
    '/static/media/%2e%2e/almoner.db',
    '/static/media/..%5Calmoner.db',
    '/static/media/%00',
    '/static/media//etc/passwd',
    '/static/',
    '/static',
  ]) {
    const { status, headers, body } = await send(fixture.url, 'GET', path)
    t.equal(status, 404, path)
    t.match(headers['content-type'], /^application\/problem\+json/)
    t.match(JSON.parse(body), { code: 'not_found', status: 404 })
  }
})

onEachMedia(t, 'D2: images are not listed', async (t, fixture) => {
  const name = nameIn(await cover(fixture))
  for (const path of [
    '/static/media/',
    '/static/media',
    '/static/media//',
    '/static/media/.',
    '/static/media/?C=M;O=D',
  ]) {
    const { status, text } = await send(fixture.url, 'GET', path)
    t.equal(status, 404, path)
    t.notMatch(text, name)
  }
})

onServer(t, 'D2: image URLs accept only GET and HEAD', async (t, fixture) => {
  const url = await cover(fixture)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    await seeProblem(t, await served(fixture, url, { method }), 'method_not_allowed', method)
  t.equal((await served(fixture, url)).status, 200)
})
