import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Found, fault, warning } from './finding.ts'
import { isThere, isUsableFolder } from './places.ts'

const isWritableFile = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.W_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** What to say of the file that pushes are written into. The folder is not made for it. */
export const pushFileFinding = async (path: string): Promise<Found> => {
  const isUsable = (await isThere(path)) ? await isWritableFile(path) : await isUsableFolder(dirname(path))
  return isUsable
    ? warning('pushes are only written into a file: no device gets any', 'name the providers in ALMONER_PUSH')
    : fault(
        'the file for pushes cannot be written',
        'name a file in ALMONER_PUSH that this user may write, in a folder that is there',
      )
}
