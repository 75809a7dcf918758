import type { PortfolioImage, PortfolioImageKind, PortfolioImageName } from '../media/portfolio-images.ts'
import type { Dataset } from './dataset.ts'
import type { OrganizationInSectors } from './organization.ts'
import type { Sector } from './sector.ts'
import type { Challenge, Introduction, Program, Summary } from './texts.ts'

/** A whole portfolio. `Image` is a stored image's name, or a file's name before it is stored. */
export interface PortfolioOf<Image> {
  readonly name: string
  readonly sectors: ReadonlyArray<Sector<Image>>
  readonly organizations: ReadonlyArray<OrganizationInSectors<Image>>
  readonly introductions: ReadonlyArray<Introduction>
  readonly summaries: ReadonlyArray<Summary>
  readonly programs: ReadonlyArray<Program>
  readonly challenges: ReadonlyArray<Challenge>
  readonly datasets: ReadonlyArray<Dataset>
}

/** A portfolio whose images are stored. */
export type PortfolioContent = PortfolioOf<PortfolioImageName>

/** What there is before anything is loaded. */
export const EMPTY_PORTFOLIO: PortfolioContent = {
  name: '',
  sectors: [],
  organizations: [],
  introductions: [],
  summaries: [],
  programs: [],
  challenges: [],
  datasets: [],
}

/** The portfolio itself, as the interface's resource. */
export interface PortfolioHead {
  readonly name: string
  /** How many organizations it has. */
  readonly organizations: number
}

/** A portfolio's images, one each. */
const imagesOf = <Image>({
  sectors,
  organizations,
}: Pick<PortfolioOf<Image>, 'sectors' | 'organizations'>): Readonly<
  Record<PortfolioImageKind, ReadonlySet<Image>>
> => ({
  logo: new Set([...sectors, ...organizations].map(({ logo }) => logo)),
  visual: new Set(organizations.map(({ visual }) => visual)),
})

/** The stored images that a portfolio shows. */
export const storedImagesOf = (
  portfolio: Pick<PortfolioContent, 'sectors' | 'organizations'>,
): ReadonlyArray<PortfolioImage> => {
  const { logo, visual } = imagesOf(portfolio)
  return [
    ...[...logo].map((name): PortfolioImage => ({ kind: 'logo', name })),
    ...[...visual].map((name): PortfolioImage => ({ kind: 'visual', name })),
  ]
}

/** Returns a portfolio with replaced images. */
export const withImages =
  <A, B>(imageOf: (kind: PortfolioImageKind, image: A) => B) =>
  (portfolio: PortfolioOf<A>): PortfolioOf<B> => ({
    ...portfolio,
    sectors: portfolio.sectors.map((sector) => ({ ...sector, logo: imageOf('logo', sector.logo) })),
    organizations: portfolio.organizations.map((organization) => ({
      ...organization,
      logo: imageOf('logo', organization.logo),
      visual: imageOf('visual', organization.visual),
    })),
  })
