import { mock } from 'node:test'
import type { MediaName, RenditionName } from '@almoner/domain/media'
import type { ImageFile } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import {
  done,
  imageFilesContract,
  mediaStoreContract,
  portfolioImagesContract,
} from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { openS3Media } from '../src/s3/index.ts'
import { runner } from './runner.ts'
import { startS3Store } from './support/s3-store.ts'

// The store dates what it holds by its own clock: here it runs in this process, and both have the same one, which tests set.
const START = Date.UTC(2026, 4, 1, 12)
mock.timers.enable({ apis: ['Date'], now: START })

const server = await startS3Store()
t.teardown(() => server.stop())

const open = async () => {
  const media = await done(
    openS3Media({
      bucket: server.newBucket(),
      prefix: 'almoner/media',
      endpoint: server.endpoint,
      region: undefined,
    }),
  )
  const bytesOf = async (file: ImageFile): Promise<Uint8Array | undefined> => {
    const opened = await done(media.imageFiles.open(file))
    if (O.isNone(opened)) return undefined
    const pieces: Array<Uint8Array> = []
    for await (const piece of opened.value.bytes) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const clock = {
    now: () => instant(Date.now()),
    advance: (by: number) => mock.timers.setTime(Date.now() + by),
  }
  return { ...media, clock, bytesOf, close: async () => media.close() }
}

mediaStoreContract(runner, async () => {
  const { mediaStore, clock, bytesOf, close } = await open()
  return {
    ...{ store: mediaStore, clock, close },
    bytesOf: (name: MediaName) => bytesOf({ kind: 'upload', name }),
    renditionOf: (name: RenditionName) => bytesOf({ kind: 'rendition', name }),
  }
})

portfolioImagesContract(runner, async () => {
  const { portfolioImages, ...rest } = await open()
  return { images: portfolioImages, ...rest }
})

imageFilesContract(runner, async () => {
  const { imageFiles, ...rest } = await open()
  return { files: imageFiles, ...rest }
})
