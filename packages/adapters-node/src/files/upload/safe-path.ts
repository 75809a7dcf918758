import { UploadError } from './upload-error.ts'

/** Bytes that a file system allows in a name. */
const LONGEST_NAME = 255

/** Folders in folders that are looked at: a person may have chosen the folder above the portfolio's. */
const DEEPEST = 6

const leadsOut = (path: string): boolean =>
  path.startsWith('/') ||
  path.includes('\\') ||
  path.includes('\0') ||
  /^[a-z]:/i.test(path) ||
  path.split('/').includes('..')

/** Returns whether a name is that of a system's own file, hidden, empty or too long. */
const isForeign = (name: string): boolean =>
  name === '' || name.startsWith('.') || name === '__MACOSX' || Buffer.byteLength(name) > LONGEST_NAME

/**
 * Returns whether a file may be part of a portfolio: a table, an image in `logo` or `visual`, or an archive. All others are left out.
 * @throws UploadError if the path leads out of its folder
 */
export const isPartOfPortfolio = (path: string): boolean => {
  if (leadsOut(path)) throw new UploadError('names a file outside its folder')
  const names = path.split('/')
  if (names.length > DEEPEST || names.some(isForeign)) return false
  const folder = names.at(-2)
  return folder === 'logo' || folder === 'visual' || /\.(?:json|csv|zip)$/i.test(path)
}

/** Returns how many folders a path goes through. */
const depthOf = (path: string): number => path.split('/').length

/** Returns the path of the folder that holds the portfolio: that of the outermost `portfolio.json`, else that of the outermost table. */
export const rootOf = (paths: ReadonlyArray<string>): string => {
  const sorted = paths.toSorted((a, b) => depthOf(a) - depthOf(b))
  const first =
    sorted.find((path) => /(?:^|\/)portfolio\.json$/.test(path)) ??
    sorted.find((path) => /\.(?:json|csv)$/.test(path))
  if (first === undefined) throw new UploadError('holds no files of a portfolio')
  return first.split('/').slice(0, -1).join('/')
}
