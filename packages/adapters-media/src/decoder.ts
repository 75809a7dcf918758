import type Sharp from 'sharp'

/** sharp itself. */
export type Decoder = typeof Sharp

let loaded: Promise<Decoder> | undefined

const load = async (): Promise<Decoder> => {
  const { default: sharp } = await import('sharp')
  // Uploads do not repeat: a cache would only keep their pixels.
  sharp.cache(false)
  // Only the loaders of the types that the service accepts; nothing in a file can make the decoder choose another.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadSvgBuffer'],
  })
  // One thread an image, so that the number of images at once is also the number of cores they take.
  sharp.concurrency(1)
  return sharp
}

/** sharp, loaded with the first image: a process that never sees one does without its memory. Settings are process-wide. */
export const decoder = (): Promise<Decoder> => {
  loaded ??= load()
  return loaded
}
