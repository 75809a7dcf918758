import { portfolioImagePath } from '@almoner/domain/media'
import { type ImageFacts, type ImageFile, type ImageFiles, imageFilePath } from '@almoner/domain/ports'
import type { Instant } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { MemoryMediaStore } from './media-store.ts'
import type { MemoryPortfolioImages } from './portfolio-images.ts'

/** The stored files. */
export interface MemoryImages {
  readonly mediaStore: MemoryMediaStore
  readonly portfolioImages: MemoryPortfolioImages
}

interface MemoryImageFile extends ImageFacts {
  readonly all: Uint8Array
}

/** The reference implementation with which other readers of images are compared. */
export const memoryImageFiles = ({ mediaStore, portfolioImages }: MemoryImages): ImageFiles => {
  const bytesOf = (file: ImageFile): Uint8Array | undefined =>
    file.kind === 'upload'
      ? mediaStore.held().get(file.name)?.bytes
      : portfolioImages.held().get(portfolioImagePath(file))
  const dates = async (): Promise<ReadonlyMap<string, Instant>> => {
    const found = new Map<string, Instant>()
    for await (const batch of mediaStore.files())
      for (const { name, storedAt } of batch) found.set(name, storedAt)
    for await (const batch of portfolioImages.files())
      for (const { image, storedAt } of batch) found.set(imageFilePath(image), storedAt)
    return found
  }
  const held = (file: ImageFile): TE.TaskEither<never, O.Option<MemoryImageFile>> =>
    TE.fromTask(async () => {
      const [all, storedAt] = [bytesOf(file), (await dates()).get(imageFilePath(file))]
      return all === undefined || storedAt === undefined
        ? O.none
        : O.some({ all, storedAt, size: all.length })
    })
  const facts = ({ size, storedAt }: MemoryImageFile): ImageFacts => ({ size, storedAt })
  return {
    look: (file) => pipe(held(file), TE.map(O.map(facts))),
    open: (file, part) =>
      pipe(
        held(file),
        TE.map(
          O.map((found) => ({
            ...facts(found),
            bytes: (async function* () {
              yield part === undefined ? found.all : found.all.slice(part.first, part.last + 1)
            })(),
          })),
        ),
      ),
  }
}
