import type { Option } from 'fp-ts/lib/Option.js'
import type { Language } from '../values/text.ts'
import type { ChallengeId, OrganizationId } from './ids.ts'
import type { PortfolioName, PortfolioText } from './text.ts'

/** What every text of an organization has. */
export interface OrganizationText {
  readonly organization: OrganizationId
  readonly lang: Language
  /** Its place among those of its organization and language, as the file has them, from 0 (H3). */
  readonly rank: number
}

/** What an organization says of itself. */
export interface Introduction extends OrganizationText {
  readonly text: PortfolioText
}

/** Usually one sentence. The highlight is the most important chunk of it, which clients look for in the text. */
export interface Summary extends OrganizationText {
  readonly text: PortfolioText
  readonly highlight: Option<PortfolioText>
}

/** One of the things that an organization does. */
export interface Program extends OrganizationText {
  readonly title: PortfolioName
  readonly description: PortfolioText
}

/** A challenge in one language; the same challenge in the other shares its id, which belongs to one organization (H1). */
export interface Challenge extends Omit<OrganizationText, 'rank'> {
  readonly id: ChallengeId
  readonly text: PortfolioText
  readonly highlight: Option<PortfolioText>
}
