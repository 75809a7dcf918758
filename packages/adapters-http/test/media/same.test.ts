import { utimesSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { MediaName, PortfolioImage } from '@almoner/domain/media'
import { type ImageFile, imageFilePath } from '@almoner/domain/ports'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { done, type Fixture, startFixture } from '../support/fixture.ts'
import { inBucket } from '../support/media.ts'

// D2, H1, C14: responses do not depend on where an image is stored.

const UPLOAD = { kind: 'upload', name: 'an_image-of-some-size.png' as MediaName } as const
const SVG = { kind: 'logo', name: 'acme.0123456789abcdef.svg' } as PortfolioImage
const PATHS = [`/static/media/${UPLOAD.name}`, `/static/portfolio/logo/${SVG.name}`] as const

/** A few bytes, so that random ranges reach both ends. */
const BYTES = Buffer.from(Array.from({ length: 40 }, (_, i) => (i * 77) % 256))

interface Seen {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Header fields that differ in each response. */
const PASSING = ['date', 'x-request-id']

const see = (
  fixture: Fixture,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(fixture.url)
    const asked = request({ port, method, path, headers, agent: false }, (answer) => {
      const pieces: Array<Buffer> = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        const id = String(answer.headers['x-request-id'])
        const kept = Object.entries(answer.headers).filter(([name]) => !PASSING.includes(name))
        const body = Buffer.concat(pieces).toString('latin1').replace(id, 'ID')
        resolve({ status: answer.statusCode, headers: Object.fromEntries(kept), body })
      })
    })
    asked.on('error', reject)
    asked.end()
  })

const put = async ({ ports }: Fixture) => {
  await done(ports.mediaStore.put(UPLOAD.name, { type: 'image/png', bytes: BYTES }))
  await done(ports.portfolioImages.put(SVG, BYTES))
}

/** Two servers with the same images, dated alike: one has them in a folder, one in a bucket. */
const pair = async (t: Test) => {
  const store = 'memory'
  const folder = await startFixture(t.testdir({ a: {}, b: {} }), { store })
  t.teardown(folder.stop)
  const bucket = await startFixture(join(folder.folder, 'b'), { store, images: inBucket() })
  t.teardown(bucket.stop)
  await put(folder)
  await put(bucket)
  const files: ReadonlyArray<readonly [ImageFile, string]> = [
    [UPLOAD, PATHS[0]],
    [SVG, PATHS[1]],
  ]
  for (const [file, path] of files) {
    const { headers } = await see(bucket, 'HEAD', path, {})
    const date = new Date(String(headers['last-modified']))
    utimesSync(join(folder.mediaFolder, imageFilePath(file)), date, date)
  }
  const { headers } = await see(bucket, 'HEAD', PATHS[0], {})
  const same = async (method: string, path: string, sent: Readonly<Record<string, string>>) => [
    await see(folder, method, path, sent),
    await see(bucket, method, path, sent),
  ]
  return { same, etag: String(headers['etag']), date: String(headers['last-modified']) }
}

const EARLIER = 'Fri, 01 Jan 2021 00:00:00 GMT'
const LATER = 'Sat, 01 Jan 2050 00:00:00 GMT'

t.test(
  'D2, H1: a folder and a bucket give equal responses, byte for byte and header for header',
  async (t) => {
    const { same, etag, date } = await pair(t)
    const sent: ReadonlyArray<readonly [status: number, headers: Readonly<Record<string, string>>]> = [
      [200, {}],
      [206, { range: 'bytes=0-0' }],
      [206, { range: 'bytes=5-' }],
      [206, { range: 'bytes=-5' }],
      [206, { range: 'bytes=39-1000' }],
      [206, { range: 'bytes=0-5,6-10' }],
      [200, { range: 'bytes=0-5,20-30' }],
      [200, { range: 'lines=1-2' }],
      [416, { range: 'bytes=40-' }],
      [416, { range: 'bytes=-0' }],
      [416, { range: 'bytes=-41' }],
      [416, { range: 'bytes=9-3' }],
      [416, { range: 'bytes=' }],
      [416, { range: 'bytes=x-y' }],
      [206, { range: 'bytes=0-5', 'if-range': etag }],
      [200, { range: 'bytes=0-5', 'if-range': '"another"' }],
      [206, { range: 'bytes=0-5', 'if-range': date }],
      [200, { range: 'bytes=0-5', 'if-range': EARLIER }],
      [200, { range: 'bytes=0-5', 'if-range': 'no date' }],
      [304, { 'if-none-match': etag }],
      [304, { 'if-none-match': etag.slice(2) }],
      [304, { 'if-none-match': `"a", ${etag}` }],
      [304, { 'if-none-match': '*' }],
      [200, { 'if-none-match': '"another"' }],
      [304, { 'if-none-match': etag, 'cache-control': 'no-cache' }],
      [200, { 'if-none-match': '"another"', 'if-modified-since': LATER }],
      [304, { 'if-modified-since': date }],
      [200, { 'if-modified-since': EARLIER }],
      [200, { 'if-modified-since': 'no date' }],
      [200, { 'if-match': etag }],
      [200, { 'if-match': '*' }],
      [412, { 'if-match': '"another"' }],
      [412, { 'if-unmodified-since': EARLIER }],
      [200, { 'if-unmodified-since': LATER }],
      [200, { 'if-unmodified-since': 'no date' }],
      [304, { 'if-none-match': etag, range: 'bytes=0-5' }],
      [200, { 'accept-encoding': 'gzip, br' }],
      [200, { origin: 'https://app.example.org' }],
    ]
    for (const path of PATHS)
      for (const method of ['GET', 'HEAD'])
        for (const [status, headers] of sent) {
          const [folder, bucket] = await same(method, path, headers)
          const what = `${method} ${path} ${JSON.stringify(headers)}`
          // The ETag of one upload does not match the other.
          if (path === PATHS[0]) t.equal(folder?.status, status, what)
          t.strictSame(bucket, folder, what)
        }
  },
)

t.test('D2, H1: paths that are not images are rejected alike', async (t) => {
  const { same } = await pair(t)
  for (const path of [
    '/static/media/an_image-that-is-not-there.png',
    `/static/media/${UPLOAD.name}/`,
    `/static/media//${UPLOAD.name}`,
    `/static/media/./${UPLOAD.name}`,
    `/static/media/${UPLOAD.name}?v=1`,
    `/static/media/%61${UPLOAD.name.slice(1)}`,
    `/static/media/x/../${UPLOAD.name}`,
    `/static/media/x%2F..%2F${UPLOAD.name}`,
    '/static/media/',
    '/static/media',
    '/static/media/%',
    '/static/media/%00',
    `/static/media/portfolio/logo/${SVG.name}`,
    `/static/media/portfolio%2Flogo%2F${SVG.name}`,
    `/static/portfolio/logo/../logo/${SVG.name}`,
    `/static/portfolio/visual/${SVG.name}`,
    `/static/portfolio/${SVG.name}`,
    '/static/portfolio/logo/',
  ])
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const [folder, bucket] = await same(method, path, {})
      t.strictSame(bucket, folder, `${method} ${path}`)
    }
})

t.test('D2: a folder and a bucket give equal responses to all ranges', async (t) => {
  const { same } = await pair(t)
  const edge = fc.option(fc.nat({ max: 60 }), { nil: '' as const })
  const range = fc
    .array(fc.tuple(edge, edge), { minLength: 1, maxLength: 3 })
    .map((parts) => `bytes=${parts.map(([from, to]) => `${from}-${to}`).join(',')}`)
  await fc.assert(
    fc.asyncProperty(range, async (range) => {
      const [folder, bucket] = await same('GET', PATHS[0], { range })
      t.strictSame(bucket, folder, range)
    }),
    { numRuns: 100 },
  )
})
