import { mediaFolder } from '../../compose.ts'
import { type Check, fault, ok } from './finding.ts'
import { isThere, isUsableFolder, willBeMade } from './places.ts'

/** Whether images can be stored. */
export const mediaCheck: Check = {
  name: 'media',
  look: async (settings) => {
    const folder = mediaFolder(settings)
    if (!(await isThere(folder))) return [await willBeMade('the folder of images', folder)]
    return (await isUsableFolder(folder))
      ? [ok('images can be stored')]
      : [fault(`images cannot be stored in ${folder}`, 'make it a folder that this user may read and write')]
  },
}
