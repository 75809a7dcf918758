import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt, orThrowCause, type Timer, type Unavailable, unavailable } from '../values/ports.ts'
import { type MediaName, originalsOf, type RenditionName, widthOf } from './model.ts'
import type { ImageFiles, ImageRenderer, KnownImages, MediaStore, OpenImage } from './ports.ts'

/** What making renditions asks of the world. */
export interface RenditionPorts {
  readonly mediaStore: Pick<MediaStore, 'claimRenditions' | 'putRendition' | 'releaseRenditions' | 'remove'>
  readonly imageFiles: ImageFiles
  readonly imageRenderer: ImageRenderer
  readonly timer: Pick<Timer, 'wait'>
}

/**
 * The outcome of making a rendition. `broken` is said once for each image, and `missing` from then on. `unstored` has the bytes of one that the
 * store did not take, as on a full disk, and why.
 */
export type RenditionOutcome =
  | { readonly kind: 'made' | 'missing' }
  | { readonly kind: 'broken'; readonly original: MediaName }
  | { readonly kind: 'unstored'; readonly bytes: Uint8Array; readonly cause: unknown }

const MADE: RenditionOutcome = { kind: 'made' }
const MISSING: RenditionOutcome = { kind: 'missing' }

/** Milliseconds between two looks at a rendition that another process makes, and how many there are. */
const [STEP, LOOKS] = [100, 300]

const allOf = async ({ bytes, size }: OpenImage): Promise<Uint8Array> => {
  const all = new Uint8Array(size)
  let at = 0
  for await (const part of bytes) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Reads a stored image as a whole; Unavailable if it is not there any more. */
const readWhole = ({ imageFiles }: Pick<RenditionPorts, 'imageFiles'>, name: MediaName) =>
  pipe(
    imageFiles.open({ kind: 'upload', name }),
    TE.flatMap(TE.fromOption(() => unavailable(new Error('the image is gone')))),
    TE.flatMap((opened) => attempt(() => allOf(opened))),
  )

const isThere = async <A>(look: TE.TaskEither<Unavailable, O.Option<A>>): Promise<boolean> =>
  O.isSome(await orThrowCause(look))

/**
 * Makes the function that makes a rendition of a stored image (D8). However many ask for one, it is made once: in a process by one run that they
 * share, among processes by a claim in the store. A rendition whose original was deleted meanwhile is deleted again.
 */
export const renditionMaker = (ports: RenditionPorts) => {
  const { mediaStore, imageFiles, imageRenderer, timer } = ports
  const has = (name: RenditionName) => isThere(imageFiles.look({ kind: 'rendition', name }))
  const hasOriginal = (name: MediaName) => isThere(imageFiles.look({ kind: 'upload', name }))

  const originalOf = async (name: RenditionName): Promise<MediaName | undefined> => {
    for (const original of originalsOf(name)) if (await hasOriginal(original)) return original
    return undefined
  }

  /** Stores the rendition. A removal deletes renditions after the original too, so either it finds this one, or this sees that the original is gone. */
  const store = async (
    name: RenditionName,
    original: MediaName,
    bytes: Uint8Array,
  ): Promise<RenditionOutcome> => {
    const stored = await mediaStore.putRendition(name, bytes)()
    if (await hasOriginal(original))
      return E.isRight(stored) ? MADE : { kind: 'unstored', bytes, cause: stored.left.cause }
    await orThrowCause(mediaStore.remove(original))
    return MISSING
  }

  const make = async (name: RenditionName, original: MediaName): Promise<RenditionOutcome> => {
    let isBroken = false
    try {
      if (await has(name)) return MADE
      const rendered = await imageRenderer.render(readWhole(ports, original), widthOf(name))()
      if (E.isRight(rendered)) return await store(name, original, rendered.right)
      if (!(await hasOriginal(original))) return MISSING
      if (rendered.left._tag !== 'BrokenImage') throw rendered.left.cause
      isBroken = true
      return { kind: 'broken', original }
    } finally {
      await mediaStore.releaseRenditions(original, isBroken)()
      // The mark of a broken image must not outlive it.
      if (isBroken && !(await hasOriginal(original))) await mediaStore.remove(original)()
    }
  }

  /** Makes the rendition if no other process makes one of the same image; resolves to undefined if one does. */
  const tryOnce = async (name: RenditionName): Promise<RenditionOutcome | undefined> => {
    if (await has(name)) return MADE
    const original = await originalOf(name)
    if (original === undefined) return MISSING
    const claim = await mediaStore.claimRenditions(original)()
    // A store that takes no writes can be read all the same.
    if (E.isLeft(claim) || claim.right === 'claimed') return make(name, original)
    return claim.right === 'broken' ? MISSING : undefined
  }

  const run = async (name: RenditionName): Promise<RenditionOutcome> => {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const outcome = await tryOnce(name)
      if (outcome !== undefined) return outcome
      await timer.wait(STEP)()
    }
    throw new Error('another process makes this rendition')
  }

  const running = new Map<RenditionName, Promise<E.Either<Unavailable, RenditionOutcome>>>()
  return (name: RenditionName): TE.TaskEither<Unavailable, RenditionOutcome> =>
    () => {
      const shared = running.get(name) ?? attempt(() => run(name))()
      running.set(name, shared)
      return shared.finally(() => running.delete(name))
    }
}

/** Makes renditions, as {@link renditionMaker} does. */
export type RenderImage = ReturnType<typeof renditionMaker>

/** Images that are measured in one step: each is read as a whole. */
const SOME = 10

/** Makes the function that records the sizes of some images from before sizes were stored (D9). Returns how many it has looked at. */
export const imageMeasurer =
  (ports: Pick<RenditionPorts, 'imageFiles' | 'imageRenderer'> & { readonly knownImages: KnownImages }) =>
  (): TE.TaskEither<Unavailable, number> =>
    attempt(async () => {
      const names = await orThrowCause(ports.knownImages.unmeasured(SOME))
      for (const name of names) {
        const opened = await orThrowCause(ports.imageFiles.open({ kind: 'upload', name }))
        const size = O.isNone(opened)
          ? O.none
          : await orThrowCause(ports.imageRenderer.measure(await allOf(opened.value)))
        await orThrowCause(ports.knownImages.recordSize(name, size))
      }
      return names.length
    })
