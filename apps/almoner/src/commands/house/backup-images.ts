import type { NamedImage } from '@almoner/adapters-kysely'
import { sqliteImages } from '@almoner/adapters-sqlite'
import { type ImageFiles, imageFilePath } from '@almoner/domain'
import type { ArchiveWriter } from './archive-writer.ts'
import { fetchImage, ImageMissing } from './fetch-image.ts'
import { imageName } from './format.ts'

/** Adds images to a backup, each once. */
export interface ImageCopies {
  /** Adds those that a database shows and that are not added yet. Gives those that are not in the store. */
  readonly add: (database: string) => Promise<ReadonlyArray<string>>
  readonly count: () => number
}

/** @param told hears how many images there are so far */
export const makeImageCopies = (
  writer: ArchiveWriter,
  files: ImageFiles,
  told: (images: number) => void,
): ImageCopies => {
  const added = new Set<string>()

  /** Whether an image is in the backup now. */
  const isAdded = async (image: NamedImage): Promise<boolean> => {
    const path = imageFilePath(image.file)
    if (added.has(path)) return true
    try {
      await writer.add(imageName(image.file), await fetchImage(files, image))
    } catch (cause) {
      if (cause instanceof ImageMissing) return false
      throw cause
    }
    added.add(path)
    told(added.size)
    return true
  }

  return {
    add: async (database) => {
      const missing = new Set<string>()
      for await (const images of sqliteImages(database))
        for (const image of images) if (!(await isAdded(image))) missing.add(imageFilePath(image.file))
      return [...missing]
    },
    count: () => added.size,
  }
}
