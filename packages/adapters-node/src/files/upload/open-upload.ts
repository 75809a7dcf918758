import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Unavailable } from '@almoner/domain'
import type { OpenedPortfolio, OpenPortfolio, UploadedFile, UploadRefused } from '@almoner/domain/portfolio'
import { unavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { readFolder } from '../read-folder.ts'
import { imagesIn, portfolioFaults } from '../read-portfolio.ts'
import { rootOf } from './safe-path.ts'
import { type StorageLimits, storeFiles } from './store-files.ts'
import { unzip } from './unzip.ts'
import { UploadError } from './upload-error.ts'

const MIB = 1024 * 1024

/** The most that an upload has, and the most that an archive unpacks to. */
const UPLOADED: StorageLimits = { files: 5000, bytes: 128 * MIB }
const UNPACKED: StorageLimits = { files: 5000, bytes: 256 * MIB }

/** Where uploads are stored while they are read, and how much of them. */
export interface OpenPortfolioOptions {
  /** The folder for temporary files; that of the system unless given. */
  readonly temporary?: string
  /** 5,000 files and 128 MiB unless given. */
  readonly uploaded?: StorageLimits
  /** 5,000 files and 256 MiB unless given. */
  readonly unpacked?: StorageLimits
}

type Limits = Required<Pick<OpenPortfolioOptions, 'uploaded' | 'unpacked'>>

/** Stores the files and returns the folder of the portfolio. A single archive is unpacked. */
const store = async (
  folder: string,
  files: AsyncIterable<UploadedFile>,
  { uploaded, unpacked }: Limits,
): Promise<string> => {
  const sent = join(folder, 'sent')
  const paths = await storeFiles(sent, files, uploaded)
  const [only = ''] = paths
  if (paths.length !== 1 || !/\.zip$/i.test(only)) return join(sent, rootOf(paths))
  const target = join(folder, 'unpacked')
  return join(target, rootOf(await storeFiles(target, unzip(join(sent, only)), unpacked)))
}

const opened = async (root: string, close: () => Promise<void>): Promise<OpenedPortfolio> => {
  const files = await readFolder(root)
  return {
    source: files.source,
    read: imagesIn(files.images),
    isBroken: files.faults.length > 0,
    faultsWith: (faults) =>
      portfolioFaults(files, faults).map((fault) => ({ ...fault, file: relative(root, fault.file) })),
    close,
  }
}

const failureOf = (cause: unknown): UploadRefused | Unavailable =>
  cause instanceof UploadError ? { _tag: 'UploadRefused', message: cause.message } : unavailable(cause)

/**
 * Makes the function that opens uploaded portfolios (H1): a folder as its files, or one zip archive. It stores them in a temporary folder,
 * which `close` deletes. Paths never lead out of it; files and bytes are limited before and after unpacking.
 */
export const openPortfolioUpload = ({
  temporary = tmpdir(),
  uploaded = UPLOADED,
  unpacked = UNPACKED,
}: OpenPortfolioOptions = {}): OpenPortfolio => {
  return (files) => async () => {
    const folder = await mkdtemp(join(temporary, 'almoner-portfolio-'))
    const close = () => rm(folder, { recursive: true, force: true })
    try {
      return E.right(await opened(await store(folder, files, { uploaded, unpacked }), close))
    } catch (cause) {
      await close()
      return E.left(failureOf(cause))
    }
  }
}
