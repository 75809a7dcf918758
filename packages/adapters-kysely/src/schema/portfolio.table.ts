import type { PortfolioImageName } from '@almoner/domain/media'
import type {
  Age,
  ChallengeId,
  Currency,
  OrganizationId,
  PortfolioName,
  PortfolioText,
  SectorId,
} from '@almoner/domain/portfolio'
import type { Language, WebUrl } from '@almoner/domain/values'
import { allColumnsOf } from './columns.ts'

/** The one row of the portfolio; none before anything is loaded. */
interface PortfolioRow {
  readonly name: string
  readonly organizations: number
}

export interface SectorRow {
  readonly id: SectorId
  readonly en: PortfolioName | null
  readonly fr: PortfolioName | null
  readonly logo: PortfolioImageName
}

/** `folded_name` is the name without case and accents, which is what names are searched by (H2). */
export interface OrganizationRow {
  readonly id: OrganizationId
  readonly name: PortfolioName
  readonly folded_name: string
  readonly since: number
  readonly founded: number
  readonly website: WebUrl | null
  readonly logo: PortfolioImageName
  readonly visual: PortfolioImageName
}

interface OrganizationSectorRow {
  readonly organization_id: OrganizationId
  readonly sector_id: SectorId
}

/** `rank` is the position among the texts of one organization and language (H3). */
export interface IntroductionRow {
  readonly organization_id: OrganizationId
  readonly lang: Language
  readonly rank: number
  readonly text: PortfolioText
}

export interface SummaryRow extends IntroductionRow {
  readonly highlight: PortfolioText | null
}

export interface ProgramRow extends Omit<IntroductionRow, 'text'> {
  readonly title: PortfolioName
  readonly description: PortfolioText
}

export interface ChallengeRow extends Omit<SummaryRow, 'rank'> {
  readonly id: ChallengeId
}

export interface DatasetRow {
  readonly organization_id: OrganizationId
  readonly year: number
  readonly beneficiaries: number
  readonly age_from: Age | null
  readonly age_to: Age | null
  readonly staff_headcount: number
  readonly budget: number
  readonly budget_currency: Currency
  readonly vr_video_url: WebUrl | null
}

const TEXT = { organization_id: true, lang: true } as const

export const SECTOR_COLUMNS = allColumnsOf<SectorRow>({ id: true, en: true, fr: true, logo: true })

/** The folded name is written, and never read. */
export const ORGANIZATION_COLUMNS = allColumnsOf<Omit<OrganizationRow, 'folded_name'>>({
  ...{ id: true, name: true, since: true, founded: true },
  ...{ website: true, logo: true, visual: true },
})
export const INTRODUCTION_COLUMNS = allColumnsOf<IntroductionRow>({ ...TEXT, rank: true, text: true })
export const SUMMARY_COLUMNS = allColumnsOf<SummaryRow>({ ...TEXT, rank: true, text: true, highlight: true })
export const PROGRAM_COLUMNS = allColumnsOf<ProgramRow>({
  ...TEXT,
  rank: true,
  title: true,
  description: true,
})
export const CHALLENGE_COLUMNS = allColumnsOf<ChallengeRow>({
  ...TEXT,
  id: true,
  text: true,
  highlight: true,
})
export const DATASET_COLUMNS = allColumnsOf<DatasetRow>({
  organization_id: true,
  year: true,
  beneficiaries: true,
  age_from: true,
  age_to: true,
  staff_headcount: true,
  budget: true,
  budget_currency: true,
  vr_video_url: true,
})

/** The tables of the portfolio. */
export interface PortfolioTables {
  readonly portfolio: PortfolioRow
  readonly portfolio_sector: SectorRow
  readonly portfolio_organization: OrganizationRow
  readonly portfolio_organization_sector: OrganizationSectorRow
  readonly portfolio_introduction: IntroductionRow
  readonly portfolio_summary: SummaryRow
  readonly portfolio_program: ProgramRow
  readonly portfolio_challenge: ChallengeRow
  readonly portfolio_dataset: DatasetRow
}
