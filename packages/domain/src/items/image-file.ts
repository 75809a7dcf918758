import {
  isPortfolioImageName,
  PORTFOLIO_IMAGE_KINDS,
  type PortfolioImage,
  type PortfolioImageType,
} from '../portfolio/image.ts'
import { isMediaName, type MediaName } from './image.ts'

/** A stored image, whichever store it is in: one that was uploaded (D2), or one of the portfolio (H1). */
export type ImageFile = { readonly kind: 'upload'; readonly name: MediaName } | PortfolioImage

const KINDS: ReadonlyArray<string> = PORTFOLIO_IMAGE_KINDS

/** The file that a kind and a name stand for; none when no image can be called so. */
export const imageFileOf = (kind: string, name: string): ImageFile | undefined => {
  if (kind === 'upload') return isMediaName(name) ? { kind, name } : undefined
  return KINDS.includes(kind) && isPortfolioImageName(name)
    ? { kind: kind as PortfolioImage['kind'], name }
    : undefined
}

/** Where a file lies below the place of all images, in a folder and in a bucket alike: `q3…9f.png`, `portfolio/logo/acme.0f….svg`. */
export const imageFilePath = ({ kind, name }: ImageFile): string =>
  kind === 'upload' ? name : `portfolio/${kind}/${name}`

const TYPES: Readonly<Record<string, PortfolioImageType>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
}

/** Returns the media type of a file by its name. */
export const imageFileType = ({ name }: ImageFile): PortfolioImageType => {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (type === undefined) throw new TypeError('not the name of an image')
  return type
}
