import { type ImageFile, imageFileOf, imageFilePath } from '@almoner/domain/ports'

/** What all keys below a prefix begin with. */
export const rootOf = (prefix: string): string => (prefix === '' ? '' : `${prefix}/`)

/**
 * The key of an image, which lies in a bucket as it would in a folder. The type says that it is one; nothing else must ever be asked for.
 */
export const keyOf = (prefix: string, { kind, name }: ImageFile): string => {
  const file = imageFileOf(kind, name)
  if (file === undefined) throw new TypeError('not an image')
  return `${rootOf(prefix)}${imageFilePath(file)}`
}
