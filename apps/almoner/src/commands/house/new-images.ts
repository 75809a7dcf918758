import type { HouseTable, NamedImage, Row } from '@almoner/adapters-kysely'
import { imageFilePath } from '@almoner/domain'

/**
 * Tells the images of each row that no row before has shown. No two rows hold one upload, of which there may be more than memory
 * should know; only portfolios show an image more than once, and they are small.
 */
export const makeNewImages = (): ((table: HouseTable, row: Row) => ReadonlyArray<NamedImage>) => {
  const seen = new Set<string>()
  return ({ name, images }, row) => {
    const shown = images?.(row) ?? []
    if (name === 'media') return shown
    return shown.filter(({ file }) => {
      const path = imageFilePath(file)
      return !seen.has(path) && seen.add(path)
    })
  }
}
