import type { Option } from 'fp-ts/lib/Option.js'
import type { Language } from '../values/text.ts'
import type { SectorId } from './ids.ts'
import type { PortfolioName } from './text.ts'

/** A field that organizations work in, named in at least one language. `Image` is what it knows of its logo. */
export interface Sector<Image> {
  readonly id: SectorId
  readonly names: Readonly<Record<Language, Option<PortfolioName>>>
  readonly logo: Image
}
