import { join } from 'node:path'
import { type ImageFile, imageFileOf, imageFilePath } from '@almoner/domain/ports'

/** The path of an image in a folder. The type says that it is one; a name from elsewhere must still not lead out of the folder. */
export const cursorOf = (folder: string, { kind, name }: ImageFile): string => {
  const file = imageFileOf(kind, name)
  if (file === undefined) throw new TypeError('not an image')
  return join(folder, imageFilePath(file))
}
