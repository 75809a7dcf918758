import { FEED_IMAGE } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'
import { decodeImage, encodeImage } from './image-format.ts'

/** Reads a truncated or foreign file as a whole image. */
const repaired = (bytes: Uint8Array): Uint8Array => encodeImage(E.getOrElse(() => ({}))(decodeImage(bytes)))

/** Faults of the checks of images. */
export const IMAGE_CHECKER_FAULTS: Faults<'imageChecker' | 'imageRenderer' | 'portfolioImageChecker'> = {
  imageRenderer: {
    'makes every rendition in the largest width': [
      'D8: a rendition of each width is as wide as that',
      ({ render }) => ({ render: (read) => render(read, 1280) }),
    ],
    'enlarges narrow images': [
      'D8: a rendition of each width is as wide as that, and never wider than the original',
      ({ render }) => ({
        render: (read, width) =>
          TE.map((bytes: Uint8Array) => (width > bytes.length ? new Uint8Array(width) : bytes))(
            render(read, width),
          ),
      }),
    ],
    'gives concurrent callers the first result': [
      'D8: renditions that are made concurrently do not mix',
      ({ render }) => {
        let first: ReturnType<ReturnType<typeof render>> | undefined
        return { render: (read, width) => () => (first ??= render(read, width)()) }
      },
    ],
    'makes something of a broken image': [
      'D8: a broken image is BrokenImage',
      ({ render }) => ({
        render: (read, width) => TE.orElse(() => TE.right(encodeImage({})))(render(read, width)),
      }),
    ],
    'calls an image that it could not read broken': [
      'and a failure to read it is passed on',
      ({ render }) => ({
        render: (read, width) => TE.mapLeft(() => ({ _tag: 'BrokenImage' as const }))(render(read, width)),
      }),
    ],
    'reads before it is its turn': [
      'D8: an image is read once, when it is its turn',
      ({ render }) => ({
        render: (read, width) => {
          const early = read()
          return render(() => early, width)
        },
      }),
    ],
    'overwrites what it has read': [
      'and not changed',
      ({ render }) => ({
        render: (read, width) =>
          pipe(
            read,
            TE.flatMap((bytes) => {
              const made = render(TE.right(bytes.slice()), width)
              bytes.fill(0)
              return made
            }),
          ),
      }),
    ],
    'measures turned images': [
      'D9: the size of an image is measured',
      ({ measure }) => ({
        measure: returning(
          measure,
          O.map(({ width, height }) => ({ width: height, height: width })),
        ),
      }),
    ],
    'measures what is no image': [
      'and that of other bytes is none',
      ({ measure }) => ({
        measure: returning(
          measure,
          O.alt(() => O.some({ width: 0, height: 0 })),
        ),
      }),
    ],
  },
  imageChecker: {
    'returns each image as a PNG': [
      'D1: a valid image/jpeg is accepted and returned in the same type',
      ({ check }) => ({
        check: returning(check, (image) => ({ ...image, type: 'image/png' })),
      }),
    ],
    'accepts every size': [
      'must have exactly the requested size',
      ({ check }) => ({ check: (bytes) => check(bytes, { kind: 'within', side: Number.MAX_SAFE_INTEGER }) }),
    ],
    'allows a pixel more': [
      'must have exactly the requested size',
      ({ check }) => ({
        check: (bytes, rule) =>
          check(bytes, rule.kind === 'within' ? { ...rule, side: rule.side + 1 } : rule),
      }),
    ],
    'keeps the metadata': [
      'D1: all metadata of a',
      ({ check }) => ({
        check: returning(check, (image, bytes) => ({ ...image, bytes })),
      }),
    ],
    'ignores the orientation': [
      'D1: the orientation of a',
      ({ check }) => ({
        check: (bytes, rule) => {
          const image = decodeImage(bytes)
          return check(E.isRight(image) ? encodeImage({ ...image.right, isTurned: false }) : bytes, rule)
        },
      }),
    ],
    'accepts the beginning of an image': [
      'truncated anywhere is rejected',
      ({ check }) => ({
        check: (bytes, rule) =>
          pipe(
            check(bytes, rule),
            TE.orElse((left) =>
              left._tag === 'BrokenImage' ? check(encodeImage({}), FEED_IMAGE) : TE.left(left),
            ),
          ),
      }),
    ],
    'overwrites the upload': [
      'does not change the upload',
      ({ check }) => ({
        check: (bytes, rule) => async () => {
          const image = await check(bytes.slice(), rule)()
          bytes.fill(0)
          return image
        },
      }),
    ],
    'reads the first 10 MiB of an upload': [
      'D1: more than 10 MiB of any content is rejected',
      ({ check }) => ({ check: (bytes, rule) => check(bytes.subarray(0, 10 * 1024 * 1024), rule) }),
    ],
    'accepts other types as PNG': [
      'D1: only JPEG and PNG by content are accepted',
      ({ check }) => ({
        check: (bytes, rule) =>
          pipe(
            check(bytes, rule),
            TE.orElse((left) =>
              left._tag === 'UnsupportedImage' ? check(encodeImage({}), rule) : TE.left(left),
            ),
          ),
      }),
    ],
    'takes the first picture of an animation': [
      'D7: an animated image is rejected',
      ({ check }) => ({
        check: (bytes, rule) => {
          const image = decodeImage(bytes)
          return check(E.isRight(image) ? encodeImage({ ...image.right, frames: 1 }) : bytes, rule)
        },
      }),
    ],
    'checks concurrent uploads in one buffer': [
      'D1: images that are checked concurrently do not mix',
      ({ check }) => {
        let latest = new Uint8Array()
        return {
          check: (bytes, rule) => async () => {
            latest = bytes.slice()
            await Promise.resolve()
            return check(latest, rule)()
          },
        }
      },
    ],
  },
  portfolioImageChecker: {
    'encodes stored images again': [
      'H1: a stored image is returned as it is',
      ({ check }) => ({ check: (bytes) => check(bytes) }),
    ],
    'takes the type for granted': [
      'is recognised by its content',
      ({ check }) => ({
        check: returning(check, (image) => ({ ...image, type: 'image/png' })),
      }),
    ],
    'takes the width for the height': [
      'is recognised by its content, measured',
      ({ check }) => ({
        check: returning(check, (image) => ({ ...image, height: image.width })),
      }),
    ],
    'makes another digest each time': [
      'always gives the same bytes and digest',
      ({ check }) => {
        let checks = 0
        return {
          check: returning(check, (image) => {
            checks += 1
            return { ...image, digest: checks.toString(16).padStart(64, '0') }
          }),
        }
      },
    ],
    'makes one digest for all images': [
      'H1: different images have different digests',
      ({ check }) => ({
        check: returning(check, (image) => ({ ...image, digest: '0'.repeat(64) })),
      }),
    ],
    'accepts the beginning of an image': [
      'H1: an image that does not decode completely is rejected',
      ({ check }) => ({
        check: (bytes) =>
          pipe(
            check(bytes),
            TE.orElse((left) => (left._tag === 'BrokenImage' ? check(repaired(bytes)) : TE.left(left))),
          ),
      }),
    ],
    'accepts other types as PNG': [
      'H1: only SVG, PNG and JPEG by content are accepted',
      ({ check }) => ({
        check: (bytes) =>
          pipe(
            check(bytes),
            TE.orElse((left) => (left._tag === 'UnsupportedImage' ? check(repaired(bytes)) : TE.left(left))),
          ),
      }),
    ],
    'accepts images of any size': [
      'H1: images are limited in bytes and in pixels',
      ({ check }) => ({
        check: (bytes) =>
          pipe(
            check(bytes),
            TE.orElse((left) =>
              left._tag === 'ImageTooLarge' ? check(encodeImage({ width: 120, height: 80 })) : TE.left(left),
            ),
          ),
      }),
    ],
  },
}
