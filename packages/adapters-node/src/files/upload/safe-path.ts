import { foldedName, isForeign, sameName, twinsOf } from '../file-names.ts'
import { UploadError } from './upload-error.ts'

/** Bytes that a file system allows in a name, and in the path of an upload's file below its folder. */
const LONGEST_NAME = 255
const LONGEST_PATH = 1024

/** Folders in folders that are looked at: a person may have chosen the folder above the portfolio's. */
const DEEPEST = 6

/** Names that Windows keeps for devices, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i

/** Returns why no file may have this path; undefined if one may. */
const whyUnsafe = (path: string, names: ReadonlyArray<string>): string | undefined => {
  if (path === '') return 'has no name'
  if (/\p{Cc}/u.test(path)) return 'has a control character in its name'
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || names.includes('..')) return 'leads out of its folder'
  if (names.includes('')) return 'has a folder without a name'
  if (Buffer.byteLength(path) > LONGEST_PATH) return `has a path of more than ${LONGEST_PATH} bytes`
  if (names.some((name) => Buffer.byteLength(name) > LONGEST_NAME))
    return `has a name of more than ${LONGEST_NAME} bytes`
  if (names.some((name) => /[. ]$/.test(name))) return 'has a name that ends with a dot or a space'
  return names.some((name) => RESERVED.test(name)) ? 'has a name that Windows keeps for devices' : undefined
}

/** A file of an upload, by its path below the folder. */
export interface SafePath {
  readonly path: string
  /** Whether it may be part of a portfolio: a table, an image in `logo` or `visual`, or an archive. The content of all others does not matter. */
  readonly isPart: boolean
  /** Whether it is a system's own file, whose name does not matter. */
  readonly isForeign: boolean
}

/**
 * Reads the path of a file of an upload, which any person and any program may have written.
 * @throws UploadError if it leads out of its folder, or some file system cannot hold it
 */
export const safePath = (given: string): SafePath => {
  const path = given.replaceAll('\\', '/').replace(/^(?:\.\/)+(?=.)/, '')
  const names = path.split('/')
  const why = whyUnsafe(path, names)
  if (why !== undefined) throw new UploadError(given, why)
  const folder = names.at(-2)
  const isPart = folder === 'logo' || folder === 'visual' || /\.(?:json|csv|zip)$/i.test(path)
  const foreign = names.some(isForeign)
  return { path, isPart: isPart && !foreign && names.length <= DEEPEST, isForeign: foreign }
}

/** The files and folders of an upload. Each name is that of one file or of one folder. */
export interface Names {
  /** @throws UploadError if the upload has the same name for something else already */
  readonly add: (path: string, isFolder: boolean) => void
}

/** Makes the empty names of an upload. */
export const makeNames = (): Names => {
  const [files, folders] = [new Map<string, string>(), new Map<string, string>()]
  const addFolder = (path: string, entry: string): void => {
    const file = files.get(foldedName(path))
    if (file !== undefined) throw new UploadError(entry, `has a folder with the name of the file ${file}`)
    folders.set(foldedName(path), path)
  }
  return {
    add: (path, isFolder) => {
      const names = path.split('/')
      for (let depth = 1; depth < names.length; depth += 1) addFolder(names.slice(0, depth).join('/'), path)
      if (isFolder) return addFolder(path, path)
      const key = foldedName(path)
      const same = files.get(key)
      if (same === path) throw new UploadError(path, 'is there twice: keep one of the two')
      if (same !== undefined) {
        const [first, other] = twinsOf(same, path)
        throw new UploadError(other, sameName(first))
      }
      if (folders.has(key)) throw new UploadError(path, 'is a file and a folder')
      files.set(key, path)
    },
  }
}
