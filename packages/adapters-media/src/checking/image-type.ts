import type { ImageFault, ImageType } from '@almoner/domain/library'

const MAGIC = {
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
} as const satisfies Record<ImageType, Buffer>

/** Returns the type of an image by its first bytes alone (D1); undefined when it is neither JPEG nor PNG. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined =>
  (['image/jpeg', 'image/png'] as const).find((type) =>
    MAGIC[type].equals(bytes.subarray(0, MAGIC[type].length)),
  )

/** The file ends too early or contradicts itself. */
export const BROKEN: ImageFault = { _tag: 'BrokenImage' }

/** The file is sound, but of a kind that is not accepted; `reason` completes the sentence "<field> …". */
export const unsupported = (reason: string): ImageFault => ({ _tag: 'UnsupportedImage', reason })
