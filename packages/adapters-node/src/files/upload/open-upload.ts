import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Unavailable } from '@almoner/domain'
import type { OpenedPortfolio, OpenPortfolio, UploadedFile, UploadRefused } from '@almoner/domain/portfolio'
import { unavailable } from '@almoner/domain/ports'
import { nfcOf } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import pLimit from 'p-limit'
import { HOLDS_NONE, rootOf } from '../names.ts'
import { openPortfolio } from '../open-portfolio.ts'
import { beyondBytes, beyondFiles, moreThan, TABLE_BOUNDS } from '../reading.ts'
import { makeTemporaryFolder, removeAbandonedFolders, removeFolder } from './temporary-folder.ts'
import { makeNames, safePath, UploadError, unzip } from './unzip.ts'

/** The most that is stored. */
interface StorageLimits {
  readonly files: number
  readonly bytes: number
}

/** What a file system answers about a name or a path, and not about itself. */
const OF_NAMES: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'has too long a name',
  ENOTDIR: 'is below a file',
  EISDIR: 'is a file and a folder',
  EEXIST: 'is there twice',
  EINVAL: 'has a name that cannot be stored',
  EILSEQ: 'has a name that cannot be stored',
  ENOENT: 'has a name that cannot be stored',
}

const nameError = (path: string, cause: unknown): unknown => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const why = OF_NAMES[code]
  return why === undefined ? cause : new UploadError(path, why)
}

/** Returns the most bytes of a file. The review reports images that are too large, with their rows. */
const mostOf = (path: string, all: number): number =>
  /\.(?:json|csv)$/i.test(path) ? Math.min(TABLE_BOUNDS.bytes, all) : all

/** Stores a file. Returns its path in NFC. */
const storeFile = async (
  folder: string,
  path: string,
  content: AsyncIterable<Uint8Array> | ReadonlyArray<Uint8Array>,
): Promise<string> => {
  const target = nfcOf(path)
  try {
    await mkdir(dirname(join(folder, target)), { recursive: true })
    await pipeline(content, createWriteStream(join(folder, target), { flags: 'wx' }))
  } catch (cause) {
    throw nameError(path, cause)
  }
  return target
}

/**
 * Stores the files of an upload below a folder and returns their paths, both in NFC. Leaves out files of systems (H5); files that are no part of a
 * portfolio are stored empty, for their error. Counts the bytes that come, so that an archive cannot claim to be smaller (H4).
 * @throws UploadError
 */
const storeFiles = async (
  folder: string,
  files: AsyncIterable<UploadedFile>,
  most: StorageLimits,
): Promise<ReadonlyArray<string>> => {
  const stored: Array<string> = []
  const names = makeNames()
  let [count, bytes] = [0, 0]
  const counted = async function* (path: string, content: AsyncIterable<Uint8Array>) {
    const own = mostOf(path, most.bytes)
    let size = 0
    for await (const chunk of content) {
      size += chunk.byteLength
      bytes += chunk.byteLength
      if (size > own) throw new UploadError(path, moreThan(own), 'too-large')
      if (bytes > most.bytes) throw new UploadError(path, beyondBytes(most.bytes), 'too-large')
      yield chunk
    }
  }
  for await (const { path: given, content } of files) {
    count += 1
    if (count > most.files) throw new UploadError(given, beyondFiles(most.files), 'too-large')
    const isFolder = /[/\\]$/.test(given)
    const { path, isPart, isForeign } = safePath(isFolder ? given.slice(0, -1) : given)
    if (!isForeign) names.add(path, isFolder)
    if (isForeign || isFolder) continue
    stored.push(await storeFile(folder, path, isPart ? counted(path, content) : []))
  }
  return stored
}

/** The most that an upload has, and the most that an archive unpacks to (H4). */
const LIMITS: StorageLimits = { files: TABLE_BOUNDS.files, bytes: TABLE_BOUNDS.allBytes }

/** Uploads that may wait while another one is read. */
const WAITING = 16

/** Milliseconds for which each of them waits. */
const MOST_WAITING = 60_000

/** Where uploads are stored while they are read, and how much of them. */
export interface OpenPortfolioOptions {
  /** The folder for temporary files; that of the system unless given. */
  readonly temporary?: string
  /** 10,000 files and 512 MiB unless given. */
  readonly uploaded?: StorageLimits
  /** 10,000 files and 512 MiB unless given. */
  readonly unpacked?: StorageLimits
  /** Megabytes of memory that reading may take; 168 unless given. */
  readonly memory?: number
  /** Milliseconds for which an upload waits while others are read; a minute unless given. */
  readonly mostWaiting?: number
}

/** Unpacks a single archive. Returns the folder that the portfolio is in. */
const unpack = async (
  folder: string,
  paths: ReadonlyArray<string>,
  limits: StorageLimits,
): Promise<string> => {
  const sent = join(folder, 'sent')
  const [only = ''] = paths
  const target = join(folder, 'unpacked')
  const isArchive = paths.length === 1 && /\.zip$/i.test(only)
  const files = isArchive ? await storeFiles(target, unzip(join(sent, only), only), limits) : paths
  if (rootOf(files) === undefined) throw new UploadError(undefined, HOLDS_NONE)
  return isArchive ? target : sent
}

const failureOf = (cause: unknown): UploadRefused | Unavailable =>
  cause instanceof UploadError ? cause.refusal : unavailable(cause)

/** Waits until nothing else is read, and returns the function that lets the next one in. @throws if that takes too long, or too many wait */
type AcquireReading = (signal: AbortSignal | undefined) => Promise<() => void>

const makeAcquireReading = (mostWaiting: number): AcquireReading => {
  const limit = pLimit(1)
  return async (signal) => {
    signal?.throwIfAborted()
    if (limit.pendingCount >= WAITING) throw new Error('too many portfolios wait to be read')
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    let hasLeft = false
    const leave = () => {
      hasLeft = true
      reject(signal?.reason ?? new Error('other portfolios are read for too long'))
    }
    const timer = setTimeout(leave, mostWaiting)
    signal?.addEventListener('abort', leave)
    void limit(async () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      if (!hasLeft) await new Promise<void>(resolve)
    })
    return promise
  }
}

/**
 * Makes the function that opens uploaded portfolios (H1): a folder as its files, or one zip archive. It stores them in a temporary folder,
 * which `close` deletes, and deletes at once the folders of dead processes. Paths never lead out of it; files and bytes are limited
 * before and after unpacking. Several uploads arrive at a time, and one is read at a time, by a thread with a memory limit (H4).
 */
export const openPortfolioUpload = ({
  temporary = tmpdir(),
  uploaded = LIMITS,
  unpacked = LIMITS,
  memory,
  mostWaiting = MOST_WAITING,
}: OpenPortfolioOptions = {}): OpenPortfolio => {
  const acquire = makeAcquireReading(mostWaiting)
  // What cannot be deleted must not keep the service from starting.
  void removeAbandonedFolders(temporary).catch(() => {})

  const read = async (folder: string, paths: ReadonlyArray<string>, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    const path = await unpack(folder, paths, unpacked)
    return openPortfolio(path, { isBelow: true, ...(signal && { signal }), ...(memory && { memory }) })
  }

  return (files: AsyncIterable<UploadedFile>, signal) => async () => {
    let folder: string | undefined
    let release = () => {}
    const clean = async () => {
      release()
      if (folder !== undefined) await removeFolder(folder)
    }
    try {
      folder = await makeTemporaryFolder(temporary)
      const paths = await storeFiles(join(folder, 'sent'), files, uploaded)
      release = await acquire(signal)
      const opened = await read(folder, paths, signal)
      const close = async () => {
        await opened.close()
        await clean()
      }
      return E.right({ ...opened, close } satisfies OpenedPortfolio)
    } catch (cause) {
      await clean()
      return E.left(failureOf(cause))
    }
  }
}

const archiveAt = async function* (path: string): AsyncGenerator<UploadedFile> {
  yield { path: basename(path), content: createReadStream(path) }
}

/** Opens the portfolio in a folder, in one JSON file, or in a zip archive, which is unpacked like that of an upload (H5). */
export const openPortfolioAt =
  (path: string): TE.TaskEither<UploadRefused | Unavailable, OpenedPortfolio> =>
  async () => {
    const isFile = await stat(path).then(
      (stats) => stats.isFile(),
      () => false,
    )
    return isFile && /\.zip$/i.test(path)
      ? openPortfolioUpload()(archiveAt(path))()
      : E.right(openPortfolio(path))
  }
