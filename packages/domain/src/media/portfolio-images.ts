import type { Branded } from '../values/refined.ts'
import { unaccented } from '../values/text.ts'
import { type ImageType, PORTFOLIO_IMAGE_PATH } from './model.ts'

/** What an image of the portfolio shows; also the folder it lies in, in files and in addresses (H1). */
export const PORTFOLIO_IMAGE_KINDS = ['logo', 'visual'] as const
/** One of {@link PORTFOLIO_IMAGE_KINDS}. */
export type PortfolioImageKind = (typeof PORTFOLIO_IMAGE_KINDS)[number]

/**
 * The name of a stored image, as `acme.0f3b….svg`: it follows from the file's name and bytes, so that what lies under a name
 * never changes.
 */
export type PortfolioImageName = Branded<string, 'PortfolioImageName'>

const FORM = /^[A-Za-z0-9_-]{1,60}\.[0-9a-f]{16}\.(?:svg|jpg|png)$/

/** Whether a text has the form of a name that this service gives to images of the portfolio (H1). */
export const isPortfolioImageName = (text: string): text is PortfolioImageName => FORM.test(text)

/** An image of the portfolio, as it is stored. */
export interface PortfolioImage {
  readonly kind: PortfolioImageKind
  readonly name: PortfolioImageName
}

/** What an image of the portfolio may be: as uploads, or an SVG (H1). */
export type PortfolioImageType = ImageType | 'image/svg+xml'

const EXTENSIONS: Readonly<Record<PortfolioImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
}

/** An image that may be stored. */
export interface CheckedPortfolioImage {
  readonly type: PortfolioImageType
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, in lower-case hex. */
  readonly digest: string
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** Names that Windows keeps for devices, with any ending. */
const DEVICE = '(?:con|prn|aux|nul|com[0-9]|lpt[0-9])'
const DEVICE_NAME = new RegExp(`^${DEVICE}(?:\\..*)?$`, 'i')

/** Returns whether Windows keeps a name for a device, so that no file can have it there (H4). */
export const isDeviceName = (name: string): boolean => DEVICE_NAME.test(name)

/** What {@link plainImageNames} puts behind the name of a device. */
const DEVICE_MARK = new RegExp(`^(${DEVICE}_*)_$`, 'i')

/** What {@link plainImageNames} puts between the name of a file and its ending, where two stored images differ in nothing else. */
const MARK = /\.[0-9a-f]{16}(?:-\d+)?$/

/**
 * The name of an image: its file's name as far as an address can hold it, its digest's beginning, and its type. The digest in the name of an
 * exported file is passed over, and so is the mark behind the name of a device, so that loading an export gives the same name.
 */
export const portfolioImageName = (
  file: string,
  { digest, type }: Pick<CheckedPortfolioImage, 'digest' | 'type'>,
): PortfolioImageName => {
  const stem = unaccented(
    file
      .replace(/\.[^.]*$/, '')
      .replace(MARK, '')
      .replace(DEVICE_MARK, '$1'),
  )
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 60)
  return `${stem === '' ? 'image' : stem}.${digest.slice(0, 16)}.${EXTENSIONS[type]}` as PortfolioImageName
}

/** Yields the names that the file of a stored image may have, the shortest first. */
function* fileNames(name: PortfolioImageName): Generator<string, never> {
  const [stored = '', digest, type] = name.split('.')
  const stem = DEVICE_MARK.test(`${stored}_`) ? `${stored}_` : stored
  yield `${stem}.${type}`
  yield `${stem}.${digest}.${type}`
  for (let n = 2; ; n += 1) yield `${stem}.${digest}-${n}.${type}`
}

/**
 * Returns a file's name for each stored image of a kind, no two alike without case and none that of a device (H4, H5).
 * {@link portfolioImageName} gives the stored name back.
 */
export const plainImageNames = (
  names: ReadonlyArray<PortfolioImageName>,
): ReadonlyMap<PortfolioImageName, string> => {
  const taken = new Set<string>()
  const files = new Map<PortfolioImageName, string>()
  for (const name of names)
    for (const file of fileNames(name)) {
      if (taken.has(file.toLowerCase())) continue
      taken.add(file.toLowerCase())
      files.set(name, file)
      break
    }
  return files
}

/** `logoUri` and `visualUri`: an image's path relative to the base URL. */
export const portfolioImagePath = ({ kind, name }: PortfolioImage): string =>
  `${PORTFOLIO_IMAGE_PATH}${kind}/${name}`

/** Bytes that an SVG may have. */
export const SVG_LIMIT = 2 * 1024 * 1024

/** The size that the interface calls normal, in pixels. Others are served too. */
export const NORMAL_SIZES: Readonly<
  Record<PortfolioImageKind, { readonly width: number; readonly height: number }>
> = {
  logo: { width: 100, height: 100 },
  visual: { width: 1200, height: 600 },
}
