import { once } from 'node:events'
import { createServer } from 'node:net'
import type { CheckedImage, MediaName, PortfolioImage } from '@almoner/domain/media'
import { makeSweepImages } from '@almoner/domain/operations'
import type { ImageFile } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import { done, failure } from '@almoner/testkit/contracts'
import { memoryStore, plainSecrets } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { openS3Media, type S3Limits, type S3Location } from '../src/s3/index.ts'
import { withBodyTimeout } from '../src/s3/reading.ts'
import { startS3Store } from './support/s3-store.ts'
import { HASTY, PATIENT, startTroubled } from './support/troubled.ts'

const server = await startS3Store()
t.teardown(() => server.stop())

const NAME = 'an_unguessable-name.png' as MediaName
const LOGO = { kind: 'logo', name: 'acme.0123456789abcdef.svg' } as PortfolioImage
const IMAGE: CheckedImage = { type: 'image/png', bytes: Buffer.alloc(300_000, 7) }

/** A bucket behind a proxy that can make trouble. */
const given = async (t: Test, prefix = 'media', limits: S3Limits = PATIENT) => {
  const proxy = await startTroubled(server.endpoint)
  t.teardown(proxy.stop)
  const place: S3Location = {
    bucket: server.newBucket(),
    prefix,
    endpoint: proxy.endpoint,
    region: undefined,
  }
  const media = await done(openS3Media(place, limits))
  t.teardown(media.close)
  return { proxy, place, ...media }
}

const namesIn = async (files: AsyncIterable<ReadonlyArray<{ readonly name: string }>>) => {
  const names: Array<string> = []
  for await (const batch of files) names.push(...batch.map(({ name }) => name))
  return names
}

for (const [prefix, root] of [
  ['', ''],
  ['media', 'media/'],
  ['a/b', 'a/b/'],
] as const)
  t.test(
    `D2, H1: a bucket has the same images as a folder, below the prefix ${JSON.stringify(prefix)}`,
    async (t) => {
      const { place, mediaStore, portfolioImages } = await given(t, prefix)
      await done(mediaStore.put(NAME, IMAGE))
      await done(portfolioImages.put(LOGO, IMAGE.bytes))
      for (const [key, type] of [
        [`${root}${NAME}`, 'image/png'],
        [`${root}portfolio/logo/${LOGO.name}`, 'image/svg+xml'],
      ]) {
        const object = await fetch(`${server.endpoint}/${place.bucket}/${key}`)
        t.equal(object.headers.get('content-type'), type)
        t.equal(object.headers.get('cache-control'), 'public, max-age=31536000, immutable')
        t.ok(Buffer.from(await object.arrayBuffer()).equals(Buffer.from(IMAGE.bytes)))
      }
      t.strictSame(await namesIn(mediaStore.files()), [NAME], 'images of the portfolio are separate')
    },
  )

t.test('D5: only images are listed, and only those below the prefix', async (t) => {
  const { place, mediaStore } = await given(t)
  await done(mediaStore.put(NAME, IMAGE))
  const put = (key: string) =>
    fetch(`${server.endpoint}/${place.bucket}/${key}`, { method: 'PUT', body: 'x' })
  for (const key of [
    'README.txt',
    'another_image-outside.png',
    'media/notes.txt',
    'media/x/an_image-that-is-deeper.png',
  ])
    t.equal((await put(key)).status, 200)
  t.strictSame(await namesIn(mediaStore.files()), [NAME])
})

t.test('D2: no other names are requested', async (t) => {
  const { proxy, mediaStore, portfolioImages, imageFiles, signedAddress } = await given(t)
  const asked = proxy.seen.length
  for (const name of [
    '../secret-0123456789.png',
    '',
    'a.png',
    'x\0.png',
    'portfolio/logo/acme.0123456789abcdef.svg',
  ]) {
    const upload = { kind: 'upload', name } as ImageFile
    const logo = { kind: 'logo', name } as PortfolioImage
    for (const task of [
      mediaStore.put(name as MediaName, IMAGE),
      mediaStore.remove(name as MediaName),
      portfolioImages.put(logo, IMAGE.bytes),
      portfolioImages.remove(logo),
      portfolioImages.remove({ ...LOGO, kind: '..' as never }),
      imageFiles.look(upload),
      imageFiles.open(logo),
      signedAddress(upload, 'GET', 300),
    ])
      t.equal(await failure<unknown>(task), 'Unavailable', JSON.stringify(name))
  }
  t.equal(proxy.seen.length, asked)
})

t.test('D5: a listing continues page by page', async (t) => {
  const { proxy, mediaStore } = await given(t)
  const names = Array.from(
    { length: 25 },
    (_, n) => `sample_media-${`${n}`.padStart(8, '0')}.png` as MediaName,
  )
  for (const name of names) await done(mediaStore.put(name, IMAGE))
  proxy.make(() => 'pages')
  t.strictSame(await namesIn(mediaStore.files()), names)
  t.equal(
    proxy.seen.filter((line) => line.includes('list-type=2')).length,
    1 + 3,
    'one to open, three to list',
  )
  for await (const batch of mediaStore.files())
    for (const { name } of batch) await done(mediaStore.remove(name))
  t.strictSame(await namesIn(mediaStore.files()), [], 'also while files are removed')
})

t.test('D5: the sweep removes unreferenced files that are old enough', async (t) => {
  const { mediaStore, portfolioImages } = await given(t)
  const orphan = 'an_orphan-of-a-crash.png' as MediaName
  for (const name of [NAME, orphan]) await done(mediaStore.put(name, IMAGE))
  const store = memoryStore()
  const sweepAt = (time: number) =>
    makeSweepImages({
      ...store,
      mediaStore,
      portfolioImages,
      secrets: plainSecrets(),
      clock: { now: () => instant(time) },
      knownImages: {
        among: () => TE.right(new Set([NAME])),
        isEmpty: () => TE.right(false),
        forgetReleased: () => TE.right([]),
      },
    })()
  t.match(await done(sweepAt(Date.now())), { uploads: 0 }, 'its row may not be written yet')
  t.match(await done(sweepAt(Date.now() + 100 * 24 * 3600 * 1000)), { uploads: 1 })
  t.strictSame(await namesIn(mediaStore.files()), [NAME])
})

const FILE = { kind: 'upload', name: NAME } as const

for (const trouble of ['silence', 'refusal'] as const)
  t.test(
    `D2: a store that answers with ${trouble} is Unavailable, after at most two attempts, and works again later`,
    async (t) => {
      // Read with each request.
      const limits = { ...PATIENT }
      const { proxy, mediaStore, imageFiles, check } = await given(t, 'media', limits)
      await done(mediaStore.put(NAME, IMAGE))
      proxy.make(() => trouble)
      Object.assign(limits, HASTY)
      for (const task of [
        mediaStore.put(NAME, IMAGE),
        mediaStore.remove(NAME),
        imageFiles.look(FILE),
        imageFiles.open(FILE),
        check(),
      ]) {
        const before = proxy.seen.length
        t.equal(await failure<unknown>(task), 'Unavailable')
        t.ok(proxy.seen.length - before <= 2)
      }
      await t.rejects(namesIn(mediaStore.files()), /listing images/)
      proxy.make(() => 'none')
      Object.assign(limits, PATIENT)
      t.strictSame(await namesIn(mediaStore.files()), [NAME], 'nothing has changed')
      await done(mediaStore.put(NAME, IMAGE))
      await done(check())
    },
  )

t.test('D2: a silent store is requested twice at most', async (t) => {
  const { proxy, mediaStore, imageFiles } = await given(t, 'media', { ...PATIENT, silence: 300 })
  proxy.make(() => 'silence')
  for (const task of [mediaStore.put(NAME, IMAGE), mediaStore.remove(NAME), imageFiles.open(FILE)]) {
    const before = proxy.seen.length
    t.equal(await failure<unknown>(task), 'Unavailable')
    t.equal(proxy.seen.length - before, 2)
  }
})

t.test('D2: a request that fails once is repeated at once', async (t) => {
  const { proxy, mediaStore, imageFiles } = await given(t)
  let calls = 0
  proxy.make(() => {
    calls += 1
    return calls % 2 === 1 ? 'refusal' : 'none'
  })
  await done(mediaStore.put(NAME, IMAGE))
  t.ok(O.isSome(await done(imageFiles.look(FILE))))
  t.equal(calls, 4)
})

t.test('D2: an unreachable store is Unavailable', async (t) => {
  const gone = createServer()
  await once(gone.listen(0, '127.0.0.1'), 'listening')
  const { port } = gone.address() as { port: number }
  await new Promise((resolve) => gone.close(resolve))
  const opened = await openS3Media(
    { bucket: 'bucket', prefix: '', endpoint: `http://127.0.0.1:${port}`, region: undefined },
    PATIENT,
  )()
  t.match(E.isLeft(opened) && opened.left.cause, {
    message: 'the S3 store: listing images: it cannot be reached (ECONNREFUSED)',
  })
})

t.test('D2: a missing bucket is Unavailable, with its own error', async (t) => {
  const opened = await openS3Media(
    { bucket: 'no-such-bucket', prefix: '', endpoint: server.endpoint, region: undefined },
    PATIENT,
  )()
  t.match(E.isLeft(opened) && opened.left.cause, { message: /it answered NoSuchBucket \(404\)$/ })
})

t.test('D2: a missing region has its own error', async (t) => {
  const place = { bucket: 'bucket', prefix: '', endpoint: undefined, region: undefined }
  const opened = await openS3Media(place, PATIENT)()
  t.match(E.isLeft(opened) && opened.left.cause, { message: /its region is not known/ })
})

t.test('D2: missing credentials have their own error', async (t) => {
  const before = { ...process.env }
  t.teardown(() => Object.assign(process.env, before))
  delete process.env['AWS_ACCESS_KEY_ID']
  const opened = await openS3Media(
    { bucket: 'bucket', prefix: '', endpoint: server.endpoint, region: undefined },
    PATIENT,
  )()
  t.match(E.isLeft(opened) && opened.left.cause, { message: /there are no credentials/ })
})

t.test('D2: a slow reader has no time limit, a slow store has', async (t) => {
  const bodyOf = (iterable: AsyncIterable<Uint8Array>) => {
    const body = {
      ended: false,
      destroy: () => (body.ended = true),
      [Symbol.asyncIterator]: () => iterable[Symbol.asyncIterator](),
    }
    return body
  }
  const never = bodyOf({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) })
  const three = bodyOf(
    (async function* () {
      for (const n of [1, 2, 3]) yield Uint8Array.of(n)
    })(),
  )
  const drain = async (bytes: AsyncIterable<Uint8Array>) => {
    for await (const _ of bytes);
  }
  const seen: Array<number> = []
  for await (const piece of withBodyTimeout(three, HASTY.silence)) {
    seen.push(...piece)
    // As long as a store that says nothing is waited for, and then some.
    await t.rejects(drain(withBodyTimeout(never, HASTY.silence)), /stopped in the middle/)
  }
  t.strictSame(seen, [1, 2, 3])
  t.ok(never.ended && three.ended, 'open connections are released')
})
