import assert from 'node:assert/strict'
import {
  imageMeasurer,
  type MediaName,
  RENDITION_WIDTHS,
  renditionMaker,
  renditionName,
  renditionSize,
  renditionsOf,
} from '@almoner/domain/media'
import { type ImageRenderer, unavailable } from '@almoner/domain/ports'
import { MINUTE } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import {
  memoryImageFiles,
  memoryMediaStore,
  memoryPortfolioImages,
  plainImageRenderer,
  setClock,
} from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'

// D8: renditions of images.

const NAME = 'an_image-of-a-library.png' as MediaName
const BYTES = Uint8Array.from({ length: 2000 }, (_, n) => n % 251)
const [SMALL] = renditionsOf(NAME)
const RENDITION = renditionName(NAME, 320)

/** Several processes on one store. Their waits last as long as the work of the others. */
const startProcesses = async (change: (renderer: ImageRenderer) => ImageRenderer = (same) => same) => {
  const clock = setClock()
  const mediaStore = memoryMediaStore(clock)
  const imageFiles = memoryImageFiles({ mediaStore, portfolioImages: memoryPortfolioImages(clock) })
  await done(mediaStore.put(NAME, { type: 'image/png', bytes: BYTES }))
  const imageRenderer = change(plainImageRenderer)
  const timer = { wait: () => () => new Promise<void>((resolve) => setImmediate(resolve)) }
  const newProcess = () => renditionMaker({ mediaStore, imageFiles, imageRenderer, timer })
  return { clock, mediaStore, imageFiles, newProcess }
}

t.test('D8: a rendition is never wider than its original, and keeps its proportions', async () => {
  const side = fc.integer({ min: 1, max: 4096 })
  fc.assert(
    fc.property(side, side, fc.constantFrom(...RENDITION_WIDTHS), (width, height, most) => {
      const size = renditionSize({ width, height }, most)
      assert.equal(size.width, Math.min(width, most))
      assert(size.height >= 1 && size.height <= height)
      assert(Math.abs(size.height - (height * size.width) / width) <= 1)
    }),
  )
})

t.test('D8: for any number of processes that ask, a rendition is made once', async (t) => {
  let made = 0
  const { newProcess, mediaStore } = await startProcesses((renderer) => ({
    ...renderer,
    render: (read, width) => {
      made += 1
      return renderer.render(read, width)
    },
  }))
  const processes = [newProcess(), newProcess(), newProcess()]
  const asked = processes.flatMap((render) => Array.from({ length: 5 }, () => done(render(RENDITION))))
  t.strictSame(new Set(await Promise.all(asked)), new Set([{ kind: 'made' }]))
  t.equal(made, 1)
  t.strictSame([...mediaStore.renditions().keys()], [RENDITION])
  t.equal(await done(mediaStore.claimRenditions(NAME)), 'claimed', 'the claim has ended')
})

t.test('D8: a claim of a process that died is taken over', async (t) => {
  const { newProcess, mediaStore, clock } = await startProcesses()
  await done(mediaStore.claimRenditions(NAME))
  const render = newProcess()
  t.match(await render(RENDITION)(), { left: { _tag: 'Unavailable' } }, 'another process seems to make it')
  clock.advance(MINUTE)
  t.strictSame(await done(render(RENDITION)), { kind: 'made' })
})

t.test('D8: an original that is deleted at any moment of the making leaves nothing', async (t) => {
  const moments = ['before', 'after'] as const
  for (const moment of moments) {
    const { newProcess, mediaStore } = await startProcesses((renderer) => ({
      ...renderer,
      render: (read, width) => async () => {
        if (moment === 'before') await done(mediaStore.remove(NAME))
        const rendered = await renderer.render(read, width)()
        await done(mediaStore.remove(NAME))
        return rendered
      },
    }))
    t.strictSame(await done(newProcess()(RENDITION)), { kind: 'missing' }, moment)
    t.equal(mediaStore.renditions().size, 0, moment)
    t.equal(await done(mediaStore.claimRenditions(NAME)), 'claimed', moment)
  }
})

t.test('D8: a broken original is said once, and missing from then on', async (t) => {
  const { newProcess, mediaStore } = await startProcesses()
  await done(mediaStore.put(NAME, { type: 'image/png', bytes: new Uint8Array(0) }))
  t.strictSame(await done(newProcess()(RENDITION)), { kind: 'broken', original: NAME })
  for (const render of [newProcess(), newProcess()])
    t.strictSame(await done(render(SMALL ?? RENDITION)), { kind: 'missing' })
})

t.test('D8: an outage is Unavailable, ends the claim, and the next request succeeds', async (t) => {
  let fails = true
  const { newProcess } = await startProcesses((renderer) => ({
    ...renderer,
    render: (read, width) =>
      fails ? TE.left({ _tag: 'Unavailable', cause: new Error('busy') }) : renderer.render(read, width),
  }))
  const render = newProcess()
  t.match(await render(RENDITION)(), E.left({ _tag: 'Unavailable' }))
  fails = false
  t.strictSame(await done(render(RENDITION)), { kind: 'made' })
  t.strictSame(await done(render(renditionName('an_unknown-image-name.png' as MediaName, 160))), {
    kind: 'missing',
  })
})

t.test('D9: images without a size are measured in steps; broken and missing ones once', async (t) => {
  const { imageFiles, mediaStore } = await startProcesses()
  const broken = 'an_image-that-is-broken.png' as MediaName
  await done(mediaStore.put(broken, { type: 'image/png', bytes: new Uint8Array(0) }))
  let left: ReadonlyArray<MediaName> = [NAME, broken, 'an_image-that-is-missing.png' as MediaName]
  const recorded: Array<unknown> = []
  const measure = imageMeasurer({
    imageFiles,
    imageRenderer: plainImageRenderer,
    knownImages: {
      isEmpty: () => TE.right(false),
      among: () => TE.right(new Set()),
      sizesOf: () => TE.right(new Map()),
      forgetReleased: () => TE.right([]),
      unmeasured: (most) => TE.right(left.slice(0, most)),
      recordSize: (name, size) =>
        TE.fromIO(() => {
          left = left.filter((other) => other !== name)
          recorded.push(size)
        }),
    },
  })
  t.equal(await done(measure()), 3)
  t.equal(await done(measure()), 0)
  t.strictSame(recorded, [O.some({ width: 400, height: 560 }), O.none, O.none])
})

t.test('D8: a rendition that cannot be stored is made for all that ask, with the reason', async (t) => {
  const { mediaStore, imageFiles } = await startProcesses()
  const cause = new Error('no space is left')
  for (const full of [
    { putRendition: () => TE.left(unavailable(cause)) },
    { putRendition: () => TE.left(unavailable(cause)), claimRenditions: () => TE.left(unavailable(cause)) },
  ]) {
    const timer = { wait: () => async () => {} }
    const ports = {
      mediaStore: { ...mediaStore, ...full },
      imageFiles,
      imageRenderer: plainImageRenderer,
      timer,
    }
    const render = renditionMaker(ports)
    const [one, other] = await Promise.all([done(render(RENDITION)), done(render(RENDITION))])
    t.strictSame(one, { kind: 'unstored', bytes: BYTES.slice(0, 320), cause })
    t.equal(one, other, 'it is made once for those that ask at once')
    t.equal(mediaStore.renditions().size, 0)
    t.equal(await done(mediaStore.claimRenditions(NAME)), 'claimed', 'the claim has ended')
    await done(mediaStore.releaseRenditions(NAME, false))
  }
})
