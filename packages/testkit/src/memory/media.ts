import { CONTENT_TYPES } from '@almoner/domain/history'
import {
  type CheckedImage,
  type ImageSize,
  type MediaName,
  namesOfStem,
  portfolioImagePath,
  type RenditionName,
  renditionSize,
  renditionsOf,
  type StorageId,
  stemOf,
} from '@almoner/domain/media'
import {
  type Clock,
  claimState,
  claimText,
  type ImageChecker,
  type ImageFacts,
  type ImageFile,
  type ImageFiles,
  type ImageRenderer,
  imageFilePath,
  type KnownImages,
  type MediaStore,
  type PortfolioImageChecker,
  type PortfolioImages,
  type StorageIdentity,
  type StoredFile,
  type StoredPortfolioImage,
} from '@almoner/domain/ports'
import { type Instant, isFarAhead } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { changeAspect } from './changes.ts'
import type { Tables } from './tables.ts'

/** Accepts all bytes as a PNG, without decoding them; rejects an empty file as broken. Not for uploads of users. */
export const plainImageChecker: ImageChecker = {
  check: (bytes, rule) => {
    if (bytes.length === 0) return TE.left({ _tag: 'BrokenImage' })
    const size = rule.kind === 'exactly' ? rule : { width: rule.side, height: rule.side }
    return TE.right({ type: 'image/png', bytes, size: { width: size.width, height: size.height } })
  },
}

const PLAIN_SIZE: ImageSize = { width: 400, height: 560 }

/** Renders an image as its first bytes, one for each pixel of the width; rejects an empty file as broken. Each image has 400 by 560 pixels. */
export const plainImageRenderer: ImageRenderer = {
  render: (read, width) =>
    TE.flatMap((bytes: Uint8Array) =>
      bytes.length === 0
        ? TE.left({ _tag: 'BrokenImage' as const })
        : TE.right(bytes.slice(0, renditionSize(PLAIN_SIZE, width).width)),
    )(read),
  measure: (bytes) => TE.right(bytes.length === 0 ? O.none : O.some(PLAIN_SIZE)),
}

/** The stored files. */
export interface MemoryImages {
  readonly mediaStore: MemoryMediaStore
  readonly portfolioImages: MemoryPortfolioImages
}

interface MemoryImageFile extends ImageFacts {
  readonly all: Uint8Array
}

/** The reference implementation with which other readers of images are compared. */
export const memoryImageFiles = ({ mediaStore, portfolioImages }: MemoryImages): ImageFiles => {
  const bytesOf = (file: ImageFile): Uint8Array | undefined => {
    if (file.kind === 'upload') return mediaStore.held().get(file.name)?.bytes
    if (file.kind === 'rendition') return mediaStore.renditions().get(file.name)?.bytes
    return portfolioImages.held().get(portfolioImagePath(file))
  }
  const dates = async (): Promise<ReadonlyMap<string, Instant>> => {
    const found = new Map<string, Instant>()
    for await (const batch of mediaStore.files())
      for (const { name, storedAt } of batch) found.set(name, storedAt)
    for await (const batch of portfolioImages.files())
      for (const { image, storedAt } of batch) found.set(imageFilePath(image), storedAt)
    for (const [name, { storedAt }] of mediaStore.renditions())
      found.set(imageFilePath({ kind: 'rendition', name }), storedAt)
    return found
  }
  const held = (file: ImageFile): TE.TaskEither<never, O.Option<MemoryImageFile>> =>
    TE.fromTask(async () => {
      const [all, storedAt] = [bytesOf(file), (await dates()).get(imageFilePath(file))]
      return all === undefined || storedAt === undefined
        ? O.none
        : O.some({ all, storedAt, size: all.length })
    })
  const facts = ({ size, storedAt }: MemoryImageFile): ImageFacts => ({ size, storedAt })
  return {
    look: (file) => pipe(held(file), TE.map(O.map(facts))),
    open: (file, part) =>
      pipe(
        held(file),
        TE.map(
          O.map((found) => ({
            ...facts(found),
            bytes: (async function* () {
              yield part === undefined ? found.all : found.all.slice(part.first, part.last + 1)
            })(),
          })),
        ),
      ),
  }
}

/** A media store in memory that tests can inspect. */
export interface MemoryMediaStore extends MediaStore {
  /** The stored images, by name. */
  held(): ReadonlyMap<MediaName, CheckedImage>
  /** The stored renditions, by name. */
  renditions(): ReadonlyMap<RenditionName, MemoryRendition>
}

/** A rendition in memory. */
export interface MemoryRendition {
  readonly bytes: Uint8Array
  readonly storedAt: Instant
}

interface MemoryFile extends StoredFile {
  readonly image: CheckedImage
}

/** The reference implementation of a media store. @param clock dates new files */
export const memoryMediaStore = (clock: Clock): MemoryMediaStore => {
  const files = new Map<MediaName, MemoryFile>()
  let marker: O.Option<StorageId> = O.none
  const renditions = new Map<RenditionName, MemoryRendition>()
  const claims = new Map<string, string>()
  const removeRenditions = (name: MediaName): void => {
    for (const rendition of renditionsOf(name)) renditions.delete(rendition)
  }
  return {
    putRendition: (name, bytes) =>
      TE.fromIO(() => {
        renditions.set(name, { bytes: bytes.slice(), storedAt: clock.now() })
      }),
    claimRenditions: (name) =>
      TE.fromIO(() => {
        const held = claims.get(stemOf(name))
        const state = held === undefined ? 'claimed' : claimState(held, clock.now())
        if (state === 'claimed') claims.set(stemOf(name), claimText(clock.now(), false))
        return state
      }),
    releaseRenditions: (name, isBroken) =>
      TE.fromIO(() => {
        if (isBroken) claims.set(stemOf(name), claimText(clock.now(), true))
        else claims.delete(stemOf(name))
      }),
    renditions: () => renditions,
    put: (name, { type, bytes }) =>
      TE.fromIO(() => {
        files.set(name, { name, storedAt: clock.now(), image: { type, bytes: bytes.slice() } })
      }),
    remove: (name) =>
      TE.fromIO(() => {
        files.delete(name)
        removeRenditions(name)
        if (claimState(claims.get(stemOf(name)) ?? '', clock.now()) !== 'taken') claims.delete(stemOf(name))
      }),
    removeStrayRenditions: (now) =>
      TE.fromIO(() => {
        const strays = [...claims].filter(
          ([stem, held]) =>
            claimState(held, now) !== 'taken' && !namesOfStem(stem).some((name) => files.has(name)),
        )
        for (const [stem] of strays) {
          namesOfStem(stem).forEach(removeRenditions)
          claims.delete(stem)
        }
        return strays.length
      }),
    files: async function* () {
      if (files.size > 0) yield [...files.values()].map(({ name, storedAt }) => ({ name, storedAt }))
    },
    readMarker: () => TE.fromIO(() => marker),
    writeMarker: (id) =>
      TE.fromIO(() => {
        marker = O.some(id)
      }),
    held: () => new Map([...files].map(([name, { image }]) => [name, image])),
  }
}

/** Accepts any bytes as a PNG of 100 by 100 pixels, and rejects empty files. Digests differ for the files of the tests. */
export const plainPortfolioImageChecker: PortfolioImageChecker = {
  check: (bytes) => {
    if (bytes.length === 0) return TE.left({ _tag: 'BrokenImage' })
    const sum = bytes.reduce((total, byte) => (total * 31 + byte) % 4_294_967_291, bytes.length)
    const digest = sum.toString(16).padStart(64, '0')
    return TE.right({
      type: 'image/png',
      bytes,
      digest: digest.slice(-16).padEnd(64, '0'),
      width: 100,
      height: 100,
    })
  },
}

/** Images of the portfolio in memory, which tests can inspect. */
export interface MemoryPortfolioImages extends PortfolioImages {
  /** The stored bytes, by the image's path. */
  held(): ReadonlyMap<string, Uint8Array>
}

interface MemoryPortfolioImage extends StoredPortfolioImage {
  readonly bytes: Uint8Array
}

/** The reference implementation of a store of portfolio images. @param clock dates new files */
export const memoryPortfolioImages = (clock: Clock): MemoryPortfolioImages => {
  const files = new Map<string, MemoryPortfolioImage>()
  return {
    put: (image, bytes) =>
      TE.fromIO(() => {
        files.set(portfolioImagePath(image), { image, storedAt: clock.now(), bytes: bytes.slice() })
      }),
    read: (image) => TE.fromIO(() => O.fromNullable(files.get(portfolioImagePath(image))?.bytes)),
    remove: (image) =>
      TE.fromIO(() => {
        files.delete(portfolioImagePath(image))
      }),
    files: async function* () {
      if (files.size > 0) yield [...files.values()].map(({ image, storedAt }) => ({ image, storedAt }))
    },
    held: () => new Map([...files].map(([path, { bytes }]) => [path, bytes])),
  }
}

/** The size of an image that cannot be measured. */
const NO_SIZE: ImageSize = { width: 0, height: 0 }

/** Keeps which images are known, and their sizes (D5, D9). */
export const memoryKnownImages = (tables: Tables): KnownImages => {
  const { images } = tables
  return {
    isEmpty: () => TE.fromIO(() => images.size === 0),
    among: (names) => TE.fromIO(() => new Set(names.filter((name) => images.has(name)))),
    sizesOf: (names) =>
      TE.fromIO(() => {
        const sizes = names.map((name) => [name, images.get(name)?.size ?? NO_SIZE] as const)
        return new Map(sizes.filter(([, { width }]) => width > 0))
      }),
    unmeasured: (most) =>
      TE.fromIO(() =>
        [...images.values()]
          .filter(({ size }) => !size)
          .map(({ name }) => name)
          .slice(0, most),
      ),
    forgetReleased: (before, now) =>
      TE.fromIO(() => {
        const held = new Set([...tables.holds.values()].flatMap((names) => [...names]))
        const old = [...tables.released]
          .filter(([, at]) => at < before || isFarAhead(at, now))
          .map(([name]) => name)
        for (const name of old) tables.released.delete(name)
        const forgotten = old.filter((name) => images.has(name) && !held.has(name))
        for (const name of forgotten) images.delete(name)
        return forgotten
      }),
    recordSize: (name, size) =>
      TE.fromIO(() => {
        const image = images.get(name)
        if (image === undefined) return
        images.set(name, { ...image, size: O.toUndefined(size) ?? NO_SIZE })
        for (const kind of CONTENT_TYPES) {
          const showing = [...tables[kind].keys()].filter((id) => tables.holds.get(id)?.has(name))
          changeAspect(tables, kind, 'images', showing)
        }
      }),
  }
}

/** Keeps the identity of the image storage in memory (D6). */
export const memoryStorageIdentity = ({ storage }: Tables): StorageIdentity => ({
  find: () => TE.fromIO(() => storage.id),
  establish: (id) =>
    TE.fromIO(() => {
      const established = O.isSome(storage.id) ? storage.id.value : id
      storage.id = O.some(established)
      return established
    }),
  recordSweep: (refusal) =>
    TE.fromIO(() => {
      storage.refusal = refusal
    }),
  lastRefusal: () => TE.fromIO(() => storage.refusal),
})
