import type { ImageFault, ImageType } from '@almoner/domain/media'

const MAGIC = {
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
} as const satisfies Record<ImageType, Buffer>

/** Returns the type of an image by its first bytes alone (D1); undefined when it is neither JPEG nor PNG. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined =>
  (['image/jpeg', 'image/png'] as const).find((type) =>
    MAGIC[type].equals(bytes.subarray(0, MAGIC[type].length)),
  )

/** The fault of a file that cannot be decoded; `reason` completes "does not decode whole: …". */
export const broken = (reason: string): ImageFault => ({ _tag: 'BrokenImage', reason })

/** The file ends too early. */
export const CUT = broken('the file ends before the image does')

/** The file contradicts itself, or its pixels are damaged. */
export const DAMAGED = broken('a part of the file is missing or damaged')
