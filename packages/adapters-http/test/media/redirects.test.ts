import type { MediaName, PortfolioImage } from '@almoner/domain/media'
import { imageFilePath, unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import type { MediaSource } from '../../src/index.ts'
import { done, type Fixture } from '../support/fixture.ts'
import { onServer } from '../support/items.ts'
import { inBucket, s3Store } from '../support/media.ts'
import { seeProblem } from '../support/problems.ts'

// D2: readers may be redirected to the bucket.

const UPLOAD = 'an_image-that-was-uploaded.png' as MediaName
const LOGO = { kind: 'logo', name: 'acme.0123456789abcdef.png' } as PortfolioImage
const SVG = { kind: 'logo', name: 'acme.0123456789abcdef.svg' } as PortfolioImage
const BYTES = Buffer.from('the bytes of an image')

const put = async ({ ports }: Fixture) => {
  await done(ports.mediaStore.put(UPLOAD, { type: 'image/png', bytes: BYTES }))
  for (const image of [LOGO, SVG]) await done(ports.portfolioImages.put(image, BYTES))
}

const SENT = [
  [`/static/media/${UPLOAD}`, 'image/png'],
  [`/static/portfolio/logo/${LOGO.name}`, 'image/png'],
] as const

const signed = inBucket({
  source: ({ imageFiles: files, signedAddress }) => ({
    files,
    elsewhere: { addressOf: (file, method) => signedAddress(file, method, 300), lasting: 0 },
  }),
})

const open = inBucket({
  source: ({ imageFiles: files }): MediaSource => ({
    files,
    elsewhere: {
      addressOf: (file) => TE.right(`https://cdn.example.org/images/${imageFilePath(file)}`),
      lasting: 300,
    },
  }),
})

onServer(
  t,
  'D2: requests are redirected to a signed URL of the image, which expires and is not cached',
  async (t, fixture) => {
    await put(fixture)
    const { endpoint } = await s3Store()
    for (const [path, type] of SENT)
      for (const method of ['GET', 'HEAD']) {
        const answer = await fixture.call(method, path)
        t.equal(answer.status, 302)
        t.equal(answer.headers.get('cache-control'), 'no-store')
        t.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
        t.equal(answer.headers.get('referrer-policy'), 'no-referrer', 'the Referer is not sent on')
        const address = new URL(answer.headers.get('location') ?? '')
        t.equal(address.origin, endpoint)
        t.equal(address.searchParams.get('X-Amz-Expires'), '300')
        const image = await fetch(address, { method })
        t.equal(image.status, 200)
        t.equal(image.headers.get('content-type'), type)
        t.equal(image.headers.get('cache-control'), 'public, max-age=31536000, immutable')
        if (method === 'GET') t.strictSame(Buffer.from(await image.arrayBuffer()), BYTES)
      }
  },
  { images: signed, store: 'memory' },
)

onServer(
  t,
  'D2: no signature reaches the log',
  async (t, fixture) => {
    await put(fixture)
    for (const [path] of SENT) await fixture.call('GET', path)
    t.ok(fixture.lines.length >= 2)
    t.notMatch(fixture.lines.join(''), /X-Amz|Signature|Credential/i)
  },
  { images: signed, store: 'memory' },
)

onServer(
  t,
  'D2: requests are redirected to a public URL of the image, which may be cached for a while',
  async (t, fixture) => {
    for (const [path] of SENT) {
      const answer = await fixture.call('GET', path)
      t.equal(answer.status, 302)
      t.equal(answer.headers.get('cache-control'), 'public, max-age=300')
      const below = path.replace(/^\/static\/(media\/)?/, '')
      t.equal(answer.headers.get('location'), `https://cdn.example.org/images/${below}`)
    }
  },
  { images: open, store: 'memory' },
)

for (const images of [signed, open])
  onServer(
    t,
    'H1: an SVG is served by the service itself, with its security headers',
    async (t, fixture) => {
      await put(fixture)
      const answer = await fixture.call('GET', `/static/portfolio/logo/${SVG.name}`)
      t.equal(answer.status, 200)
      t.match(answer.headers.get('content-security-policy'), /sandbox/)
      t.equal(answer.headers.get('content-type'), 'image/svg+xml')
      t.strictSame(Buffer.from(await answer.arrayBuffer()), BYTES)
    },
    { images, store: 'memory' },
  )

for (const images of [signed, open])
  onServer(
    t,
    'D2: names that cannot be images are not redirected',
    async (t, fixture) => {
      for (const path of [
        '/static/media/..%2Fsecret.png',
        '/static/media/x.png',
        '/static/media/portfolio%2Flogo%2Facme.0123456789abcdef.png',
        '/static/portfolio/logo/notes.txt',
        '/static/media/',
      ])
        await seeProblem(t, await fixture.call('GET', path), 'not_found', path)
    },
    { images, store: 'memory' },
  )

onServer(
  t,
  'I1: failing to create a signed URL is a temporary error',
  async (t, fixture) => {
    const answer = await fixture.call('GET', `/static/media/${UPLOAD}`)
    await seeProblem(t, answer, 'unavailable')
  },
  {
    store: 'memory',
    images: inBucket({
      source: ({ imageFiles: files }) => ({
        files,
        elsewhere: { addressOf: () => TE.left(unavailable(new Error('no credentials'))), lasting: 0 },
      }),
    }),
  },
)
