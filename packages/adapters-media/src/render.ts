import type { ImageType, Unavailable } from '@almoner/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { decoder } from './decoder.ts'

/**
 * Draws an SVG in its own size as a JPEG or PNG. For pictures that the program makes itself, never for uploads: an SVG may ask for
 * any amount of work. Unavailable when it cannot be drawn.
 */
export const renderSvg = (svg: string, type: ImageType): TE.TaskEither<Unavailable, Uint8Array> =>
  attempt(async () => {
    const sharp = await decoder()
    const picture = sharp(Buffer.from(svg))
    return (type === 'image/jpeg' ? picture.jpeg({ quality: 90 }) : picture.png()).toBuffer()
  })
