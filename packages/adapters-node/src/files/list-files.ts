import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PORTFOLIO_IMAGE_KINDS } from '@almoner/domain/media'
import { FileError } from './file-fault.ts'
import { isForeign } from './file-names.ts'
import { whyUnread } from './read-file.ts'
import { beyondBytes, beyondFiles, FileTooLarge, TABLE_BOUNDS } from './reading.ts'

const isImageFolder = (name: string): boolean => PORTFOLIO_IMAGE_KINDS.some((kind) => kind === name)

/** Returns whether an entry is a folder to list. Links are followed to folders of images alone, as others may lead back. */
const isFolder = async (path: string, entry: Dirent): Promise<boolean> => {
  if (entry.isDirectory() || !entry.isSymbolicLink() || !isImageFolder(entry.name)) return entry.isDirectory()
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

/** Returns whether a folder may have been meant as a file: its name is that of a table, or it lies among images. */
const isMeantAsFile = (path: string): boolean => {
  const names = path.split('/')
  return /\.(?:json|csv)$/i.test(path) || isImageFolder(names.at(-2) ?? '')
}

/** Yields the paths of the files below a folder, without those of systems (H5). A folder that may have been meant as a file is one too. */
const pathsBelow = async function* (folder: string, below = ''): AsyncGenerator<string> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    if (isForeign(entry.name)) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const isInside = await isFolder(join(folder, path), entry)
    if (!isInside || isMeantAsFile(path)) yield path
    if (isInside) yield* pathsBelow(folder, path)
  }
}

const sizeOf = async (file: string): Promise<number> => {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() === true ? stats.size : 0
}

/**
 * Lists the files below a folder, within the bounds of H4. Returns paths below it, sorted.
 * @throws FileError where the folder cannot be read; FileTooLarge
 */
export const listFiles = async (folder: string): Promise<ReadonlyArray<string>> => {
  const files: Array<string> = []
  let bytes = 0
  try {
    for await (const path of pathsBelow(folder)) {
      bytes += await sizeOf(join(folder, path))
      files.push(path)
      if (files.length > TABLE_BOUNDS.files) throw new FileTooLarge(join(folder, path), beyondFiles())
      if (bytes > TABLE_BOUNDS.allBytes) throw new FileTooLarge(join(folder, path), beyondBytes())
    }
  } catch (cause) {
    if (cause instanceof FileTooLarge) throw cause
    throw new FileError(folder, undefined, whyUnread(cause))
  }
  return files.toSorted()
}
