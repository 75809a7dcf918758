import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  folderImageFiles,
  openFolderMediaStore,
  openFolderPortfolioImages,
  sharpImages,
} from '@almoner/adapters-media'
import { nodeTimer, systemClock } from '@almoner/adapters-node'
import { type MediaName, RENDITION_WIDTHS, renditionMaker } from '@almoner/domain/media'
import { type ImageRenderer, imageFilePath, unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import root, { type Test } from 'tap'
import { done, type Fixture, type FixtureImages } from '../support/fixture.ts'
import { create, itemsIn, onServer } from '../support/items.ts'
import { inBucket } from '../support/media.ts'
import { seeProblem } from '../support/problems.ts'
import { imagePath, PNG, upload } from '../support/uploads.ts'

// D8: renditions of images.

type Change = (renderer: ImageRenderer, images: Pick<FixtureImages, 'mediaStore'>) => ImageRenderer
const same: Change = (renderer) => renderer

/** Images in a folder, whose renderer may be changed. */
const inFolder =
  (folder: string, change: Change = same, options = {}) =>
  async (): Promise<FixtureImages> => {
    const mediaStore = await done(openFolderMediaStore({ folder, clock: systemClock }))
    const imageFiles = folderImageFiles(folder)
    const imageRenderer = change(sharpImages(options).imageRenderer, { mediaStore })
    const portfolio = { folder: join(folder, 'portfolio'), clock: systemClock }
    return {
      mediaStore,
      portfolioImages: await done(openFolderPortfolioImages(portfolio)),
      media: {
        ...{ files: imageFiles, folder },
        render: renditionMaker({ mediaStore, imageFiles, imageRenderer, timer: nodeTimer }),
      },
      close: () => {},
    }
  }

const bucketOf = (redirects: boolean) =>
  inBucket({
    source: ({ mediaStore, imageFiles }) => {
      const { imageRenderer } = sharpImages()
      const render = renditionMaker({ mediaStore, imageFiles, imageRenderer, timer: nodeTimer })
      const addressOf = (file: Parameters<typeof imageFilePath>[0]) =>
        TE.right(`https://cdn.example.org/${imageFilePath(file)}`)
      const elsewhere = redirects ? { elsewhere: { addressOf, lasting: 300 } } : {}
      return { files: imageFiles, render, ...elsewhere }
    },
  })

const folders = root.testdir()
let count = 0
const newFolder = (): string => {
  count += 1
  return join(folders, String(count))
}

interface Shown {
  readonly url: string
  readonly renditions: ReadonlyArray<{
    readonly url: string
    readonly width: number
    readonly height: number
  }>
}

/** Reads the size of a WebP without alpha, which the process's decoder is not allowed to load. */
const sizeOfWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 8, 16) === 'WEBPVP8 '
    ? { width: bytes.readUInt16LE(26), height: bytes.readUInt16LE(28) }
    : undefined

/** A publication with an uploaded cover, as `include=images` shows it. */
const covered = async (fixture: Fixture): Promise<{ readonly itemId: string; readonly cover: Shown }> => {
  const { itemId } = await create(fixture, 'library')
  await upload(fixture, imagePath('library', itemId), { bytes: PNG })
  const query = { itemId, include: 'images' }
  const [item] = await itemsIn(await fixture.call('GET', '/library/', { as: 'manager', query }))
  return { itemId, cover: (item as unknown as { readonly images: { readonly cover: Shown } }).images.cover }
}

const pathOf = (url: string): string => new URL(url).pathname
const get = (fixture: Fixture, url: string, headers = {}, method = 'GET') =>
  fixture.call(method, pathOf(url), { headers })

const seeSizes = async (t: Test, fixture: Fixture) => {
  const { cover, itemId } = await covered(fixture)
  const sizes = cover.renditions.map(({ width, height }) => [width, height])
  t.strictSame(sizes, [
    [160, 224],
    [320, 448],
    [400, 560],
    [400, 560],
  ])
  t.strictSame(
    cover.renditions.map(({ url }) => pathOf(url).split('/').slice(0, -1).join('/')),
    RENDITION_WIDTHS.map((width) => `/static/media/r/${width}`),
  )
  for (const { url, width, height } of cover.renditions)
    for (const said of ['made', 'kept']) {
      const response = await get(fixture, url)
      t.equal(response.status, 200, said)
      t.equal(response.headers.get('content-type'), 'image/webp')
      t.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      t.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
      t.equal(response.headers.get('x-content-type-options'), 'nosniff')
      t.strictSame(sizeOfWebp(Buffer.from(await response.arrayBuffer())), { width, height })
      const etag = response.headers.get('etag') ?? ''
      t.equal((await get(fixture, url, { 'If-None-Match': etag })).status, 304)
      t.equal((await get(fixture, url, { Range: 'bytes=0-3' })).status, 206)
      t.equal((await get(fixture, url, {}, 'HEAD')).status, 200)
    }
  const [first] = cover.renditions
  const name = pathOf(first?.url ?? '')
    .split('/')
    .at(-1)
  for (const other of [
    `161/${name}`,
    `0160/${name}`,
    `${name}`,
    '160/',
    '160/unknown-name-of-an-image.webp',
    `160/${name?.replace('.webp', '.png')}`,
    `160/${name}/`,
    `160/..%2f160/${name}`,
  ])
    t.equal((await fixture.call('GET', `/static/media/r/${other}`)).status, 404, other)
  await fixture.call('DELETE', imagePath('library', itemId), { as: 'manager' })
  for (const { url } of cover.renditions)
    t.equal((await get(fixture, url)).status, 404, 'deleted with the original')
}

onServer(root, 'D8: renditions have their sizes, and are served as originals (a folder)', seeSizes, {
  images: inFolder(newFolder()),
})
onServer(root, 'D8: renditions have their sizes, and are served as originals (a bucket)', seeSizes, {
  images: bucketOf(false),
})

onServer(
  root,
  'D8, D2: requests for renditions are redirected as those for originals, once they are made',
  async (t, fixture) => {
    const { cover } = await covered(fixture)
    for (const { url } of [...cover.renditions, ...cover.renditions]) {
      const response = await get(fixture, url)
      t.equal(response.status, 302)
      const place = pathOf(url).replace('/static/media/', 'https://cdn.example.org/')
      t.equal(response.headers.get('location'), place)
    }
    t.equal((await fixture.call('GET', '/static/media/r/160/unknown-name-of-an-image.webp')).status, 404)
  },
  { images: bucketOf(true) },
)

const rendered: Array<number> = []

onServer(
  root,
  'D8: a rendition is made once for all that ask',
  async (t, fixture) => {
    const { cover } = await covered(fixture)
    const urls = Array.from({ length: 15 }, () => cover.renditions.map(({ url }) => url)).flat()
    const statuses = await Promise.all(urls.map(async (url) => (await get(fixture, url)).status))
    t.strictSame(new Set(statuses), new Set([200]))
    t.strictSame(rendered.toSorted(), RENDITION_WIDTHS.toSorted())
  },
  {
    images: inFolder(newFolder(), (renderer) => ({
      ...renderer,
      render: (read, width) => {
        rendered.push(width)
        return renderer.render(read, width)
      },
    })),
  },
)

onServer(
  root,
  'D8: a broken original is 404 at every width, and one line of the log in all',
  async (t, fixture) => {
    const name = 'an_image-that-is-broken.png' as MediaName
    await done(fixture.ports.mediaStore.put(name, { type: 'image/png', bytes: PNG.subarray(0, 60) }))
    for (const width of [160, 320, 160, 1280])
      await seeProblem(
        t,
        await fixture.call('GET', `/static/media/r/${width}/an_image-that-is-broken.webp`),
        'not_found',
      )
    const lines = fixture.lines.filter((line) => line.includes('no renditions: the stored image'))
    t.equal(lines.length, 1)
  },
  { images: inFolder(newFolder()) },
)

const raced = newFolder()

onServer(
  root,
  'D8: an original that is deleted while its rendition is made is 404, and leaves nothing',
  async (t, fixture) => {
    const { cover } = await covered(fixture)
    for (const { url } of cover.renditions) t.equal((await get(fixture, url)).status, 404)
    const left = readdirSync(raced, { recursive: true, withFileTypes: true })
    t.strictSame(
      left.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    )
  },
  {
    images: inFolder(raced, (renderer, { mediaStore }) => ({
      ...renderer,
      render: (read, width) => async () => {
        const bytes = await renderer.render(read, width)()
        for (const name of readdirSync(raced).filter((one) => one.endsWith('.png')))
          await done(mediaStore.remove(name as MediaName))
        return bytes
      },
    })),
  },
)

const gate = Promise.withResolvers<void>()

onServer(
  root,
  'D8: renditions beyond the queue are 503 with Retry-After',
  async (t, fixture) => {
    const covers = [await covered(fixture), await covered(fixture), await covered(fixture)]
    const urls = covers.map(({ cover }) => cover.renditions[0]?.url ?? '')
    const waiting = urls.map((url) => get(fixture, url))
    const refused = await Promise.race(waiting)
    t.equal(refused.status, 503)
    t.match(refused.headers.get('retry-after'), /^\d+$/)
    gate.resolve()
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    t.strictSame(statuses.toSorted(), [200, 200, 503])
    for (const url of urls) t.equal((await get(fixture, url)).status, 200, 'later')
  },
  {
    images: inFolder(
      newFolder(),
      (renderer) => ({
        ...renderer,
        render: (read, width) =>
          renderer.render(
            TE.flatMap((bytes: Uint8Array) => TE.fromTask(() => gate.promise.then(() => bytes)))(read),
            width,
          ),
      }),
      { concurrency: 1, waitingRenditions: 1 },
    ),
  },
)

const FULL: Change = (renderer, { mediaStore }) => {
  Object.assign(mediaStore, { putRendition: () => TE.left(unavailable(new Error('ENOSPC'))) })
  return renderer
}

onServer(
  root,
  'D8: a rendition that cannot be stored is sent all the same, with one line of the log',
  async (t, fixture) => {
    const { cover } = await covered(fixture)
    const [small] = cover.renditions
    for (const method of ['GET', 'HEAD']) {
      const response = await fixture.call(method, pathOf(small?.url ?? ''))
      t.equal(response.status, 200)
      t.equal(response.headers.get('content-type'), 'image/webp')
      t.match(response.headers.get('cache-control'), /immutable/)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (method === 'HEAD') t.equal(bytes.length, 0)
      else t.strictSame(sizeOfWebp(bytes), { width: small?.width, height: small?.height })
    }
    const lines = fixture.lines.filter((line) => line.includes('cannot be stored'))
    t.equal(lines.length, 2, 'each is made again')
  },
  { images: inFolder(newFolder(), FULL) },
)
