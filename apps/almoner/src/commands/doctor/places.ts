import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Found, fault, ok } from './finding.ts'

/** The system's code of a fault. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : ''

/** Whether there is anything at a path. */
export const isThere = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (cause) {
    // The second: what stands above it is no folder.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(cause))) return false
    throw cause
  }
}

/** Whether things can be made and read in a folder. The dot tells a folder from a file in its place. */
export const isUsableFolder = async (folder: string): Promise<boolean> => {
  try {
    await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The nearest folder above a path that is there. */
export const nearestFolder = async (path: string): Promise<string> =>
  (await isThere(path)) || dirname(path) === path ? path : nearestFolder(dirname(path))

/** What to say of something that will be made when it is first used: whether that will work. */
export const willBeMade = async (what: string, path: string): Promise<Found> => {
  const above = await nearestFolder(dirname(path))
  return (await isUsableFolder(above))
    ? ok(`${what} ${path} is not there yet and will be made`)
    : fault(`${what} ${path} is not there and cannot be made`, `let this user write in ${above}`)
}
