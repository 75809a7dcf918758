import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { CommonPorts, Unavailable } from '../values/ports.ts'
import type { Branded } from '../values/refined.ts'
import { type Instant, MINUTE } from '../values/time.ts'
import {
  type CheckedImage,
  type ImageFault,
  type ImageRule,
  type ImageSize,
  isMediaName,
  isRenditionName,
  type MeasuredImage,
  type MediaAddresses,
  type MediaName,
  RENDITION_FOLDER,
  type RenditionName,
  type RenditionWidth,
  type StorageId,
  type SweepRefusal,
} from './model.ts'
import {
  type CheckedPortfolioImage,
  isPortfolioImageName,
  PORTFOLIO_IMAGE_KINDS,
  type PortfolioImage,
  type PortfolioImageType,
} from './portfolio-images.ts'

/** What media and the areas before it ask of the world. */
export interface MediaPorts extends CommonPorts {
  readonly mediaStore: MediaStore
  readonly mediaAddresses: MediaAddresses
  readonly imageChecker: ImageChecker
  readonly knownImages: KnownImages
  readonly storageIdentity: StorageIdentity
  readonly portfolioImages: PortfolioImages
  readonly portfolioImageChecker: PortfolioImageChecker
}

/** Looks into uploaded images. */
export interface ImageChecker {
  /**
   * Decodes an upload by its content, rotates it upright, measures it and returns it with its size and without metadata (D1). Memory and time are bounded for all
   * inputs.
   */
  check(bytes: Uint8Array, rule: ImageRule): TaskEither<ImageFault | Unavailable, MeasuredImage>
}

/** Makes smaller versions of stored images (D8). */
export interface ImageRenderer {
  /**
   * Encodes an image as WebP in the size of `renditionSize`. At most as many images are decoded at once as uploads may take, and a bounded number
   * wait: one more is Unavailable. `read` is called when it is the image's turn, so that waiting takes no memory.
   */
  render(
    read: TaskEither<Unavailable, Uint8Array>,
    width: RenditionWidth,
  ): TaskEither<Extract<ImageFault, { readonly _tag: 'BrokenImage' }> | Unavailable, Uint8Array>
  /** Returns the size of a stored image; none if its header cannot be read. Decodes no pixel. */
  measure(bytes: Uint8Array): TaskEither<Unavailable, Option<ImageSize>>
}

/** A stored image, whichever store it is in: one that was uploaded (D2), a rendition of one (D8), or one of the portfolio (H1). */
export type ImageFile =
  | { readonly kind: 'upload'; readonly name: MediaName }
  | { readonly kind: 'rendition'; readonly name: RenditionName }
  | PortfolioImage

const KINDS: ReadonlyArray<string> = PORTFOLIO_IMAGE_KINDS

/** The file that a kind and a name stand for; none when no image can be called so. */
export const imageFileOf = (kind: string, name: string): ImageFile | undefined => {
  if (kind === 'upload') return isMediaName(name) ? { kind, name } : undefined
  if (kind === 'rendition') return isRenditionName(name) ? { kind, name } : undefined
  return KINDS.includes(kind) && isPortfolioImageName(name)
    ? { kind: kind as PortfolioImage['kind'], name }
    : undefined
}

/** Where a file lies below the place of all images, in a folder and in a bucket alike: `q3…9f.png`, `portfolio/logo/acme.0f….svg`. */
export const imageFilePath = ({ kind, name }: ImageFile): string => {
  if (kind === 'upload') return name
  return kind === 'rendition' ? `${RENDITION_FOLDER}${name}` : `portfolio/${kind}/${name}`
}

/** The media types of stored files. */
export type ImageFileType = PortfolioImageType | 'image/webp'

const TYPES: Readonly<Record<string, ImageFileType>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/** Returns the media type of a file by its name. */
export const imageFileType = ({ name }: ImageFile): ImageFileType => {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (type === undefined) throw new TypeError('not the name of an image')
  return type
}

/** The metadata of a file. */
export interface ImageFacts {
  /** Bytes of the whole file. */
  readonly size: number
  readonly storedAt: Instant
}

/** Bytes of a file from one to another, counted from 0, both included. Both lie within the file. */
export interface BytePart {
  readonly first: number
  readonly last: number
}

/** A file that is being read. */
export interface OpenImage extends ImageFacts {
  /**
   * The bytes of the file or range, read on demand. Iterate it once, completely or not: either releases its resources. A failure throws out of the
   * iteration.
   */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Reading what {@link MediaStore} and {@link PortfolioImages} hold: to serve it (D2, H1), or to take it elsewhere. */
export interface ImageFiles {
  /** Returns the metadata of a file; none if it is missing. */
  look(file: ImageFile): TaskEither<Unavailable, Option<ImageFacts>>
  /** Opens a file, or a part of it; none when it is not there. */
  open(file: ImageFile, part?: BytePart): TaskEither<Unavailable, Option<OpenImage>>
}

/** A file as the store holds it. */
export interface StoredFile {
  readonly name: MediaName
  readonly storedAt: Instant
}

/** The result of a claim of renditions. */
export type RenditionClaim = 'claimed' | 'taken' | 'broken'

/** Milliseconds after which a claim may be taken over: longer than any image takes, so its process has died. */
export const CLAIM_LIFE = MINUTE

/** The mark of a claim that says that the image is broken. */
const BROKEN_MARK = 'broken'

/** What follows the stem of an image in the name of its claim. */
export const CLAIM_ENDING = '.claim'

const CLAIM_NAME = /^[A-Za-z0-9_-]{16,64}\.claim$/

/** Whether a text is the name of a claim, below the folder of renditions. */
export const isClaimName = (text: string): text is ClaimName => CLAIM_NAME.test(text)

/** The name of a claim: an image's stem and {@link CLAIM_ENDING}. */
export type ClaimName = Branded<string, 'ClaimName'>

/** Returns the content of a claim: the moment, or the mark of a broken image. */
export const claimText = (now: Instant, isBroken: boolean): string => (isBroken ? BROKEN_MARK : String(now))

/** Returns what a stored claim says now. `claimed` for one that may be taken over, also if it lies in the future (I9). */
export const claimState = (text: string, now: Instant): RenditionClaim => {
  if (text === BROKEN_MARK) return 'broken'
  return Math.abs(now - Number(text)) < CLAIM_LIFE ? 'taken' : 'claimed'
}

/** Where the bytes of images live (D2). */
export interface MediaStore {
  /**
   * Stores an image under a new name. When it succeeds, the bytes are durable. When it fails, it leaves no file, or one with an unused name,
   * which the sweep deletes (D5).
   */
  put(name: MediaName, image: CheckedImage): TaskEither<Unavailable, void>
  /**
   * Deletes a file with its renditions and their mark of a broken image (D8); one that is not there is no fault. The file stays until its renditions
   * are gone, so that a removal that failed is repeated by the sweep. Renditions made meanwhile go too. A claim that is not old stays.
   */
  remove(name: MediaName): TaskEither<Unavailable, void>
  /** Stores a rendition durably and as a whole, in place of an earlier one (D8). It is no file of `files`. */
  putRendition(name: RenditionName, bytes: Uint8Array): TaskEither<Unavailable, void>
  /**
   * Claims the making of an image's renditions for this process, if the store can do so atomically: of several that claim at once one gets
   * `claimed`, the others `taken`. A claim that is older than {@link CLAIM_LIFE} may be taken over. `broken` for an image that was found so.
   */
  claimRenditions(name: MediaName): TaskEither<Unavailable, RenditionClaim>
  /** Ends a claim. That of a broken image stays until the image is deleted. */
  releaseRenditions(name: MediaName, isBroken: boolean): TaskEither<Unavailable, void>
  /**
   * Deletes the renditions and the claims of images that are gone, if the claims are old at this moment: a crash left them between storing a
   * rendition and looking at its original (D6, D8). Returns the number of images.
   */
  removeStrayRenditions(now: Instant): TaskEither<Unavailable, number>
  /** Every file held, in batches and no order. A fault throws out of the iteration. */
  files(): AsyncIterable<ReadonlyArray<StoredFile>>
  /** Returns the identity of the database that the storage belongs to (D6); none before its first use. The marker is no image. */
  readMarker(): TaskEither<Unavailable, Option<StorageId>>
  /** Stores the identity durably, in place of an earlier one. */
  writeMarker(id: StorageId): TaskEither<Unavailable, void>
}

/** Which stored images the item stores know of: a file outside this set is an orphan (D5). */
export interface KnownImages {
  /** Returns whether the database knows no stored image at all. */
  isEmpty(): TaskEither<Unavailable, boolean>
  /** Those of the names given that are known. */
  among(names: ReadonlyArray<MediaName>): TaskEither<Unavailable, ReadonlySet<MediaName>>
  /** Returns the sizes of these images; those without a known size are left out (D9). At most a few hundred names. */
  sizesOf(names: ReadonlyArray<MediaName>): TaskEither<Unavailable, ReadonlyMap<MediaName, ImageSize>>
  /** Returns the names of some images whose sizes were never recorded, at most `most`. */
  unmeasured(most: number): TaskEither<Unavailable, ReadonlyArray<MediaName>>
  /** Records the size of a known image, or that it cannot be measured. An unknown image stays unknown. */
  recordSize(name: MediaName, size: Option<ImageSize>): TaskEither<Unavailable, void>
  /**
   * Forgets images that acts released before a moment, or by a clock that was far ahead of now (`isFarAhead`, I9), and that no item holds (D5),
   * some hundreds at most. Returns them: their bytes may now be deleted.
   */
  forgetReleased(before: Instant, now: Instant): TaskEither<Unavailable, ReadonlyArray<MediaName>>
}

/** The identity of the image storage as the database knows it, and the result of the latest sweep (D6). */
export interface StorageIdentity {
  /** Returns the identity; none before the first use of a storage. */
  find(): TaskEither<Unavailable, Option<StorageId>>
  /** Stores an identity unless there is one. Returns the one that is stored, the same for all who ask at once. */
  establish(id: StorageId): TaskEither<Unavailable, StorageId>
  /** Records why the latest sweep stopped; none when it ran. */
  recordSweep(refusal: Option<SweepRefusal>): TaskEither<Unavailable, void>
  /** Returns why the latest sweep stopped; none when it ran, or before the first. */
  lastRefusal(): TaskEither<Unavailable, Option<SweepRefusal>>
}

/** Looks into the image files of a portfolio that is loaded. */
export interface PortfolioImageChecker {
  /**
   * Determines by content whether a file is an SVG, PNG or JPEG, and decodes it (H1). Returns PNG and JPEG upright and without metadata, as for
   * uploads, and SVG unchanged. The same bytes always give the same result.
   * @param isStored whether an image with this digest is stored: then the bytes are returned as they are, since encoding a JPEG again changes it
   */
  check(
    bytes: Uint8Array,
    isStored?: (digest: string) => boolean,
  ): TaskEither<ImageFault | Unavailable, CheckedPortfolioImage>
}

/** A file as the store holds it. */
export interface StoredPortfolioImage {
  readonly image: PortfolioImage
  readonly storedAt: Instant
}

/** Where the bytes of the portfolio's images live (H1). */
export interface PortfolioImages {
  /**
   * Stores an image. An existing one is stored again with the current date, so that no sweep considers it old. When it succeeds, the bytes are
   * durable; when it fails, the previous file is intact.
   */
  put(image: PortfolioImage, bytes: Uint8Array): TaskEither<Unavailable, void>
  /** Returns the bytes of a file; none if it is not there. */
  read(image: PortfolioImage): TaskEither<Unavailable, Option<Uint8Array>>
  /** Deletes a file; one that is not there is no fault. */
  remove(image: PortfolioImage): TaskEither<Unavailable, void>
  /** Every file held, in batches and no order. A fault throws out of the iteration. */
  files(): AsyncIterable<ReadonlyArray<StoredPortfolioImage>>
}
