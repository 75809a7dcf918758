import { type PortfolioImage, type PortfolioImageName, portfolioImagePath } from '@almoner/domain/media'
import { type BytePart, type OpenImage, unavailable } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

/** Changes the batches of a listing of files. */
const batches = async function* <A>(
  files: AsyncIterable<ReadonlyArray<A>>,
  change: (batch: ReadonlyArray<A>) => ReadonlyArray<A>,
) {
  for await (const batch of files) yield change(batch)
}

const anyKind = ({ name }: PortfolioImage): PortfolioImage => ({ kind: 'logo', name })

/** Faults of the images of the portfolio, and of reading images. */
export const IMAGE_FILE_FAULTS: Faults<'imageFiles' | 'portfolioImages'> = {
  imageFiles: {
    'returns text': [
      'D2, H1: a stored file of any kind is read byte for byte',
      ({ open }) => ({
        open: returning(
          open,
          O.map((image) => ({
            ...image,
            bytes: (async function* () {
              for await (const piece of image.bytes)
                yield new TextEncoder().encode(new TextDecoder().decode(piece))
            })(),
          })),
        ),
      }),
    ],
    'leaves out the last byte of a range': [
      'D2: a range of a file is read from its first to its last byte',
      ({ open }) => ({
        open: (file, part) => open(file, part && { ...part, last: part.last - 1 }),
      }),
    ],
    'returns the size of the range': [
      'D2: a range of a file',
      ({ open }) => {
        const sized = ({ first, last }: BytePart) => ({ size: last - first + 1 })
        return {
          open: returning(open, (found, _, part) =>
            O.map((image: OpenImage) => ({ ...image, ...(part && sized(part)) }))(found),
          ),
        }
      },
    ],
    'dates a file when it is opened': [
      'D2: the details of a file are its size and the time when it was stored',
      ({ look }) => ({
        look: returning(
          look,
          O.map((facts) => ({ ...facts, storedAt: instant(0) })),
        ),
      }),
    ],
    'fails for a missing file': [
      'D2, H1: reading a missing file returns none',
      ({ look }) => ({
        look: (file) =>
          pipe(
            look(file),
            TE.flatMap((facts) => (O.isNone(facts) ? TE.left(unavailable('no such file')) : TE.right(facts))),
          ),
      }),
    ],
    'returns a missing file as an empty one': [
      'D5: a removed file cannot be read any more',
      ({ look }) => ({
        look: returning(look, (facts) =>
          O.isSome(facts) ? facts : O.some({ size: 0, storedAt: instant(0) }),
        ),
      }),
    ],
  },
  portfolioImages: {
    'stores text': [
      'H1: stored images of every type and kind are returned byte for byte',
      ({ put }) => ({
        put: (image, bytes) => put(image, new TextEncoder().encode(new TextDecoder().decode(bytes))),
      }),
    ],
    'stores logos and visuals in one folder': [
      'H1: a logo and a visual with the same name are two images',
      ({ put, remove, held }) => ({
        put: (image, bytes) => put(anyKind(image), bytes),
        remove: (image) => remove(anyKind(image)),
        held: () => {
          const visual = (name: string) =>
            portfolioImagePath({ kind: 'visual', name: name as PortfolioImageName })
          const all = [...held()]
          return new Map([
            ...all,
            ...all.map(([path, bytes]) => [visual(path.replace(/^.*\//, '')), bytes] as const),
          ])
        },
      }),
    ],
    'reads a missing image as an empty one': [
      'H1: the bytes of a stored image are read, and none of a missing one',
      ({ read }) => ({
        read: returning(read, (bytes) => O.some(O.getOrElse((): Uint8Array => new Uint8Array())(bytes))),
      }),
    ],
    'lists a file twice': [
      'H1: each file is listed once',
      ({ files }) => ({ files: () => batches(files(), (batch) => [...batch, ...batch]) }),
    ],
    'keeps the time of the first storing': [
      'H1: storing an image again renews its time',
      ({ put, held }) => ({
        put: (image, bytes) =>
          held().has(portfolioImagePath(image)) ? TE.right(undefined) : put(image, bytes),
      }),
    ],
    'fails to remove a missing image': [
      'H1: removing a missing image is not an error',
      ({ held, remove }) => ({
        remove: (image) =>
          held().has(portfolioImagePath(image))
            ? remove(image)
            : TE.left(unavailable('there is no such image')),
      }),
    ],
  },
}
