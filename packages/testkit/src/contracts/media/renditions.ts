import { type ImageSize, RENDITION_WIDTHS, renditionSize } from '@almoner/domain/media'
import { type ImageRenderer, unavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ContractRunner } from '../runner.ts'
import { done, failure } from '../samples.ts'

/** Files for the suite, which can neither encode nor decode images. */
export interface RenditionSamples {
  /** A valid stored image, wider than some widths of renditions and narrower than others. */
  readonly sound: Uint8Array
  readonly size: ImageSize
  /** Bytes that are no image. */
  readonly broken: Uint8Array
  /** Returns the size of a rendition. */
  readonly sizeOf: (rendition: Uint8Array) => Promise<ImageSize>
}

/** Contract tests of makers of renditions (D8, D9). */
export const imageRendererContract = (
  runner: ContractRunner,
  make: () => ImageRenderer,
  { sound, size, broken, sizeOf }: RenditionSamples,
): void => {
  runner(
    'D8: a rendition of each width is as wide as that, and never wider than the original',
    async (check) => {
      const renderer = make()
      for (const width of RENDITION_WIDTHS) {
        const rendition = await done(renderer.render(TE.right(sound), width))
        check.same(await sizeOf(rendition), renditionSize(size, width), String(width))
      }
    },
  )

  runner('D8: renditions that are made concurrently do not mix', async (check) => {
    const renderer = make()
    const sizes = await Promise.all(
      RENDITION_WIDTHS.map(async (width) => sizeOf(await done(renderer.render(TE.right(sound), width)))),
    )
    check.same(
      sizes,
      RENDITION_WIDTHS.map((width) => renditionSize(size, width)),
    )
  })

  runner('D8: a broken image is BrokenImage, and a failure to read it is passed on', async (check) => {
    const renderer = make()
    const unread = TE.left(unavailable(new Error('no answer')))
    check.same(await failure(renderer.render(TE.right(broken), 160)), 'BrokenImage')
    check.same(await failure(renderer.render(unread, 160)), 'Unavailable')
    check.same(await failure(renderer.render(TE.right(sound), 160)), 'none', 'the next one is made')
  })

  runner('D8: an image is read once, when it is its turn, and not changed', async (check) => {
    let reads = 0
    const stored = sound.slice()
    const read = () => {
      reads += 1
      return Promise.resolve(E.right(stored))
    }
    const task = make().render(read, 160)
    check.same(reads, 0, 'not before the task runs')
    await done(task)
    check.same(reads, 1)
    check.same([...stored], [...sound])
  })

  runner('D9: the size of an image is measured, and that of other bytes is none', async (check) => {
    const renderer = make()
    check.same(await done(renderer.measure(sound)), O.some(size))
    check.same(await done(renderer.measure(broken)), O.none)
  })
}
