import type { Policy, Ports } from '@almoner/domain'
import {
  makeFurtherYearErrors,
  makeListChallenges,
  makeListDatasets,
  makeListIntroductions,
  makeListOrganizationSectors,
  makeListOrganizations,
  makeListPrograms,
  makeListSectors,
  makeListSummaries,
  makeListTextFindings,
  makeReplacePortfolio,
  makeReviewPortfolio,
  makeShowPortfolio,
} from '@almoner/domain/portfolio'

/** The use cases of the portfolio that routes call. Each is named, as those of `Services` are. */
export interface PortfolioServices {
  readonly showPortfolio: ReturnType<typeof makeShowPortfolio>
  readonly listSectors: ReturnType<typeof makeListSectors>
  readonly listOrganizations: ReturnType<typeof makeListOrganizations>
  readonly furtherYearErrors: ReturnType<typeof makeFurtherYearErrors>
  readonly listOrganizationSectors: ReturnType<typeof makeListOrganizationSectors>
  readonly listIntroductions: ReturnType<typeof makeListIntroductions>
  readonly listSummaries: ReturnType<typeof makeListSummaries>
  readonly listPrograms: ReturnType<typeof makeListPrograms>
  readonly listChallenges: ReturnType<typeof makeListChallenges>
  readonly listDatasets: ReturnType<typeof makeListDatasets>
  readonly listTextFindings: ReturnType<typeof makeListTextFindings>
  readonly reviewPortfolio: ReturnType<typeof makeReviewPortfolio>
  readonly replacePortfolio: ReturnType<typeof makeReplacePortfolio>
}

/** Binds the use cases of the portfolio. */
export const makePortfolioServices = (ports: Ports, policy: Policy): PortfolioServices => ({
  showPortfolio: makeShowPortfolio(ports),
  listSectors: makeListSectors(ports),
  listOrganizations: makeListOrganizations(ports, policy),
  furtherYearErrors: makeFurtherYearErrors(policy),
  listOrganizationSectors: makeListOrganizationSectors(ports),
  listIntroductions: makeListIntroductions(ports),
  listSummaries: makeListSummaries(ports),
  listPrograms: makeListPrograms(ports),
  listChallenges: makeListChallenges(ports),
  listDatasets: makeListDatasets(ports),
  listTextFindings: makeListTextFindings(ports),
  reviewPortfolio: makeReviewPortfolio(ports, policy),
  replacePortfolio: makeReplacePortfolio(ports),
})
