import type { Option } from 'fp-ts/lib/Option.js'
import type { WebUrl } from '../values/addresses.ts'
import type { OrganizationId, SectorId } from './ids.ts'
import type { PortfolioName } from './text.ts'

/** A member of the portfolio. `Image` is what it knows of its logo and visual. */
export interface Organization<Image> {
  readonly id: OrganizationId
  readonly name: PortfolioName
  /** Year in which it joined the portfolio. */
  readonly since: number
  /** Year of its foundation. */
  readonly founded: number
  readonly website: Option<WebUrl>
  readonly logo: Image
  readonly visual: Image
}

/** An organization and the sectors it works in, each once. */
export interface OrganizationInSectors<Image> extends Organization<Image> {
  readonly sectors: ReadonlyArray<SectorId>
}
