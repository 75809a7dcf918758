import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortfolioImage } from '@almoner/domain/media'
import t from 'tap'
import { done, type Fixture } from '../support/fixture.ts'
import { onServer } from '../support/items.ts'
import { onEachMedia } from '../support/media.ts'
import { seeProblem } from '../support/problems.ts'
import { send } from '../support/raw.ts'
import { JPEG, PNG } from '../support/uploads.ts'

// H1: the portfolio's images, served under /static/portfolio/.

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>',
)

const FILES = [
  ['svg', 'image/svg+xml', SVG],
  ['png', 'image/png', PNG],
  ['jpg', 'image/jpeg', JPEG],
] as const

const image = (kind: PortfolioImage['kind'], extension: string): PortfolioImage => ({
  kind,
  name: `acme.0123456789abcdef.${extension}` as PortfolioImage['name'],
})

const store = async ({ ports }: Fixture) => {
  for (const kind of ['logo', 'visual'] as const)
    for (const [extension, , bytes] of FILES)
      await done(ports.portfolioImages.put(image(kind, extension), bytes))
}

onEachMedia(
  t,
  'H1: an image is served to anyone, with its type, nosniff and immutable caching',
  async (t, fixture) => {
    await store(fixture)
    for (const kind of ['logo', 'visual'])
      for (const [extension, type, bytes] of FILES) {
        const answer = await fixture.call(
          'GET',
          `/static/portfolio/${kind}/acme.0123456789abcdef.${extension}`,
        )
        t.equal(answer.status, 200, 'without a token')
        t.equal(answer.headers.get('content-type'), type)
        t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        t.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
        t.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
        t.strictSame(Buffer.from(await answer.arrayBuffer()), Buffer.from(bytes))
      }
  },
)

onEachMedia(t, 'H1: scripts in an SVG cannot run', async (t, fixture) => {
  await store(fixture)
  const expected = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  for (const method of ['GET', 'HEAD'] as const) {
    const svg = await fixture.call(method, '/static/portfolio/logo/acme.0123456789abcdef.svg')
    t.equal(svg.headers.get('content-security-policy'), expected, method)
  }
  const part = await fixture.call('GET', '/static/portfolio/logo/acme.0123456789abcdef.svg', {
    headers: { range: 'bytes=0-9' },
  })
  t.equal(part.headers.get('content-security-policy'), expected, 'also in a range')
  const png = await fixture.call('GET', '/static/portfolio/logo/acme.0123456789abcdef.png')
  t.match(png.headers.get('content-security-policy'), /^default-src 'none'/)
})

onEachMedia(
  t,
  'H1: images are served in ranges, and with 304 to clients that have them',
  async (t, fixture) => {
    await store(fixture)
    const path = '/static/portfolio/visual/acme.0123456789abcdef.svg'
    const part = await fixture.call('GET', path, { headers: { range: 'bytes=0-3' } })
    t.equal(part.status, 206)
    t.equal(part.headers.get('content-range'), `bytes 0-3/${SVG.length}`)
    t.equal(await part.text(), '<svg')
    await seeProblem(
      t,
      await fixture.call('GET', path, { headers: { range: 'bytes=9999-' } }),
      'range_not_satisfiable',
    )
    const etag = (await fixture.call('GET', path)).headers.get('etag') ?? ''
    t.equal((await send(fixture.url, 'GET', path, { 'If-None-Match': etag })).status, 304)
  },
)

onServer(t, 'H1: other files in the folder are neither served nor listed', async (t, fixture) => {
  await store(fixture)
  const folder = join(fixture.mediaFolder, 'portfolio')
  writeFileSync(join(folder, 'logo', '.tmp-1c6fb9f0'), SVG)
  writeFileSync(join(folder, 'logo', 'notes.txt'), 'private')
  writeFileSync(join(folder, 'logo', 'plain.svg'), SVG)
  mkdirSync(join(folder, 'logo', 'folder.0123456789abcdef.svg'))
  for (const path of [
    '/static/portfolio/logo/unknown.0123456789abcdef.svg',
    '/static/portfolio/logo/.tmp-1c6fb9f0',
    '/static/portfolio/logo/%2Etmp-1c6fb9f0',
    '/static/portfolio/logo/notes.txt',
    '/static/portfolio/logo/plain.svg',
    '/static/portfolio/logo/folder.0123456789abcdef.svg',
    '/static/portfolio/logo/../visual/acme.0123456789abcdef.svg',
    '/static/portfolio/logo/..%2Fvisual%2Facme.0123456789abcdef.svg',
    '/static/portfolio/logo/%2e%2e/%2e%2e/almoner.db',
    '/static/portfolio/logo/..%5Cvisual%5Cacme.0123456789abcdef.svg',
    '/static/portfolio/logo/%00',
    '/static/portfolio/logo//acme.0123456789abcdef.svg',
    '/static/portfolio/logo/',
    '/static/portfolio/logo',
    '/static/portfolio/',
    '/static/portfolio',
    '/static/media/portfolio/logo/acme.0123456789abcdef.svg',
    '/static/media/portfolio%2Flogo%2Facme.0123456789abcdef.svg',
    '/static/media/portfolio/',
  ]) {
    const { status, headers, text } = await send(fixture.url, 'GET', path)
    t.equal(status, 404, path)
    t.match(headers['content-type'], /^application\/problem\+json/)
    t.notMatch(text, 'acme')
  }
})

onEachMedia(t, 'H1: image URLs accept only GET and HEAD', async (t, fixture) => {
  await store(fixture)
  const path = '/static/portfolio/logo/acme.0123456789abcdef.svg'
  for (const method of ['POST', 'PUT', 'DELETE'])
    await seeProblem(t, await fixture.call(method, path), 'method_not_allowed', method)
  t.equal((await fixture.call('GET', path)).status, 200)
})
