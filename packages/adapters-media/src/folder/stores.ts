import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Instant, Unavailable } from '@almoner/domain'
import {
  isMediaName,
  isPortfolioImageName,
  type MediaName,
  namesOfStem,
  PORTFOLIO_IMAGE_KINDS,
  type PortfolioImage,
  RENDITION_FOLDER,
  type RenditionName,
  renditionsOf,
  stemOf,
} from '@almoner/domain/media'
import {
  type BytePart,
  CLAIM_ENDING,
  type Clock,
  claimState,
  claimText,
  type ImageFiles,
  isClaimName,
  type MediaStore,
  type PortfolioImages,
  type RenditionClaim,
} from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt, MARKER, markerIn } from '../storage.ts'
import {
  cursorOf,
  factsOf,
  listFiles,
  makeFolder,
  removeStale,
  writeDurably,
  writeExclusively,
} from './files.ts'

/** Where {@link openFolderMediaStore} keeps uploads. */
export interface MediaFolder {
  /** Path of the folder; made when it is missing. Several processes may share it. */
  readonly folder: string
  /** Dates the files. */
  readonly clock: Clock
}

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

/** The type says it already; a name from elsewhere must still not lead out of the folder. */
const checked = (name: MediaName): string => {
  if (isMediaName(name)) return name
  throw new TypeError('not a media name')
}

type Renditions = Pick<
  MediaStore,
  'putRendition' | 'claimRenditions' | 'releaseRenditions' | 'removeStrayRenditions'
> & {
  readonly removeAll: (name: MediaName) => Promise<void>
}

/** Keeps renditions in folders named by their widths, and claims as files beside these, which are created exclusively (D8). */
const renditionsIn = (folder: string, clock: Clock): Renditions => {
  const home = join(folder, RENDITION_FOLDER)
  const claimOf = (name: MediaName) => join(home, `${stemOf(name)}${CLAIM_ENDING}`)
  const pathOf = (name: RenditionName) => cursorOf(folder, { kind: 'rendition', name })
  const stateAt = async (path: string, now: Instant): Promise<RenditionClaim> => {
    const held = await readFile(path, 'utf8').catch(unlessMissing)
    if (held === undefined) return 'taken'
    // An empty one is being written, or is left from a crash.
    const said = held === '' ? String((await factsOf(path))?.storedAt ?? now) : held
    return claimState(said, now)
  }
  const stateOf = (path: string) => stateAt(path, clock.now())
  const isGone = async (name: MediaName) => (await factsOf(join(folder, name))) === undefined
  const removeRenditions = async (name: MediaName) => {
    for (const path of renditionsOf(name).map(pathOf)) await rm(path, { force: true })
  }
  /** Deletes the renditions of an image that is gone, with an old claim. Returns whether there was one. */
  const removeStray = async (claim: string, now: Instant): Promise<boolean> => {
    const path = join(home, claim)
    const names = namesOfStem(claim.slice(0, -CLAIM_ENDING.length))
    if ((await stateAt(path, now)) === 'taken') return false
    for (const name of names) if (!(await isGone(name))) return false
    for (const name of names) await removeRenditions(name)
    await rm(path, { force: true })
    return true
  }
  return {
    removeAll: async (name) => {
      await removeRenditions(name)
      if ((await stateOf(claimOf(name))) !== 'taken') await rm(claimOf(name), { force: true })
    },
    removeStrayRenditions: (now) =>
      attempt(async () => {
        let count = 0
        await makeFolder(home)
        for await (const batch of listFiles(home, isClaimName))
          for (const { name } of batch) if (await removeStray(name, now)) count += 1
        return count
      }),
    putRendition: (name, bytes) =>
      attempt(async () => {
        const path = pathOf(name)
        await makeFolder(dirname(path))
        await writeDurably(dirname(path), basename(path), bytes, clock.now())
      }),
    claimRenditions: (name) =>
      attempt(async () => {
        const [path, claim] = [claimOf(name), claimText(clock.now(), false)]
        await makeFolder(home)
        if (await writeExclusively(path, claim)) return 'claimed'
        const state = await stateOf(path)
        if (state !== 'claimed') return state
        await rm(path, { force: true })
        return (await writeExclusively(path, claim)) ? 'claimed' : 'taken'
      }),
    releaseRenditions: (name, isBroken) =>
      attempt(async () =>
        isBroken
          ? writeFile(claimOf(name), claimText(clock.now(), true))
          : rm(claimOf(name), { force: true }),
      ),
  }
}

/**
 * Keeps images as files of one folder, under their own names and readable by all, so that any web server can serve them
 * (D2). A file appears whole or not at all. Opening makes the folder and removes temporary files that are older than an
 * hour, left by crashes. Unavailable when the folder cannot be made, read or written.
 */
export const openFolderMediaStore = ({
  folder,
  clock,
}: MediaFolder): TE.TaskEither<Unavailable, MediaStore> =>
  attempt(async () => {
    await makeFolder(folder)
    await removeStale(folder, clock.now())
    const { removeAll, ...renditions } = renditionsIn(folder, clock)
    return {
      ...renditions,
      put: (name, { bytes }) => attempt(async () => writeDurably(folder, checked(name), bytes, clock.now())),
      remove: (name) =>
        attempt(async () => {
          const path = join(folder, checked(name))
          // Renditions first: if one cannot be deleted, the image stays, and the sweep tries again. And again, as another process may have
          // made some meanwhile.
          await removeAll(name)
          await rm(path, { force: true })
          await removeAll(name)
        }),
      readMarker: () =>
        attempt(async () => {
          const content = await readFile(join(folder, MARKER), 'utf8').catch(unlessMissing)
          return content === undefined ? O.none : markerIn(content)
        }),
      writeMarker: (id) =>
        attempt(async () => writeDurably(folder, MARKER, Buffer.from(`${id}\n`), clock.now())),
      files: () => listFiles(folder, isMediaName),
    }
  })

/** Where {@link openFolderPortfolioImages} keeps images of the portfolio. */
export interface PortfolioImagesFolder {
  /** Path of the folder; it and `logo` and `visual` in it are made when missing. Several processes may share it. */
  readonly folder: string
  /** Dates the files. */
  readonly clock: Clock
}

/** The type says it already; a name from elsewhere must still not lead out of the folder. */
const pathIn = ({ kind, name }: PortfolioImage): readonly [kind: string, name: string] => {
  if (isPortfolioImageName(name) && PORTFOLIO_IMAGE_KINDS.includes(kind)) return [kind, name]
  throw new TypeError('not an image of the portfolio')
}

/**
 * Keeps the portfolio's images as files of two folders, `logo` and `visual`, under their own names and readable by all (H1). A
 * file appears whole or not at all. Opening makes the folders and removes temporary files that are older than an hour, left by
 * crashes. Unavailable when a folder cannot be made, read or written.
 */
export const openFolderPortfolioImages = ({
  folder,
  clock,
}: PortfolioImagesFolder): TE.TaskEither<Unavailable, PortfolioImages> =>
  attempt(async () => {
    for (const kind of PORTFOLIO_IMAGE_KINDS) {
      await makeFolder(join(folder, kind))
      await removeStale(join(folder, kind), clock.now())
    }
    return {
      put: (image, bytes) =>
        attempt(async () => {
          const [kind, name] = pathIn(image)
          await writeDurably(join(folder, kind), name, bytes, clock.now())
        }),
      read: (image) =>
        attempt(async () =>
          O.fromNullable(await readFile(join(folder, ...pathIn(image))).catch(unlessMissing)),
        ),
      remove: (image) => attempt(async () => rm(join(folder, ...pathIn(image)), { force: true })),
      files: async function* () {
        for (const kind of PORTFOLIO_IMAGE_KINDS)
          for await (const batch of listFiles(join(folder, kind), isPortfolioImageName))
            yield batch.map(({ name, storedAt }) => ({ image: { kind, name }, storedAt }))
      },
    }
  })

/** Bytes of a file, which is opened when they are asked for. */
async function* bytesOf(path: string, part?: BytePart): AsyncGenerator<Uint8Array, void> {
  yield* createReadStream(path, part && { start: part.first, end: part.last })
}

/**
 * Reads the images of a folder that {@link openFolderMediaStore} writes, and those of its folder `portfolio`.
 * @param folder its path; nothing is made
 */
export const folderImageFiles = (folder: string): ImageFiles => {
  const look: ImageFiles['look'] = (file) =>
    attempt(async () => O.fromNullable(await factsOf(cursorOf(folder, file))))
  return {
    look,
    open: (file, part) =>
      pipe(
        look(file),
        TE.map(O.map((facts) => ({ ...facts, bytes: bytesOf(cursorOf(folder, file), part) }))),
      ),
  }
}

/** Resolves to the value of a task, or rejects with the cause of its failure. */
const orThrow = async <A>(task: TE.TaskEither<Unavailable, A>): Promise<A> => {
  const done = await task()
  if (E.isLeft(done)) throw done.left.cause
  return done.right
}

const isListed = async ({ files }: MediaStore, name: MediaName): Promise<boolean> => {
  for await (const batch of files()) if (batch.some((file) => file.name === name)) return true
  return false
}

/** The image storage that is tried out. */
interface Storage {
  readonly mediaStore: MediaStore
  readonly imageFiles: ImageFiles
}

const writeAndRead = async ({ mediaStore, imageFiles }: Storage, name: MediaName): Promise<void> => {
  const bytes = Buffer.from(name)
  await orThrow(mediaStore.put(name, { type: 'image/png', bytes }))
  const opened = await orThrow(imageFiles.open({ kind: 'upload', name }))
  const isSame = O.isSome(opened) && bytes.equals(await buffer(opened.value.bytes))
  if (!isSame) throw new Error('a file that was just written cannot be read')
  if (!(await isListed(mediaStore, name))) throw new Error('a file that was just written is not listed')
}

/**
 * Stores a small file as an upload, then reads, lists and deletes it (D10). Unavailable with the reason of the first step that fails. An
 * interrupted trial leaves a file without a row, which the sweep deletes (D5).
 */
export const probeStorage = (storage: Storage): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    // Sorted before most other names, so that a bucket lists it on one of the first pages.
    const name = `0-${randomUUID()}.png` as MediaName
    try {
      await writeAndRead(storage, name)
    } catch (cause) {
      await storage.mediaStore.remove(name)()
      throw cause
    }
    await orThrow(storage.mediaStore.remove(name))
  })

/** Stores, reads, lists and deletes an image in a folder of images, which is made if it is missing. */
export const probeMediaFolder = (place: MediaFolder): TE.TaskEither<Unavailable, void> =>
  TE.flatMap((mediaStore: MediaStore) =>
    probeStorage({ mediaStore, imageFiles: folderImageFiles(place.folder) }),
  )(openFolderMediaStore(place))
