import type { Policy } from '../policy.ts'
import {
  makeListChallenges,
  makeListDatasets,
  makeListIntroductions,
  makeListOrganizationSectors,
  makeListOrganizations,
  makeListPrograms,
  makeListSectors,
  makeListSummaries,
  makeShowPortfolio,
} from '../portfolio/lists.ts'
import { makeLoadPortfolio, makePlanPortfolio } from '../portfolio/loading.ts'
import { makeReplacePortfolio, makeReviewPortfolio } from '../portfolio/replacing.ts'
import { makeCheckTexts, makeListTextFindings } from '../portfolio/text-findings.ts'
import type { Ports } from '../ports.ts'

/** The organizations that the foundation supports. */
export interface PortfolioArea {
  /**
   * Returns the name of the portfolio and the number of its organizations (A7).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.show(caller)
   * ```
   */
  readonly show: ReturnType<typeof makeShowPortfolio>
  /**
   * Lists the organizations that match all filters, by id (H2, H3).
   * Fails with InsufficientScope, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.organizations(caller, { joined: 2016, lim: 10 })
   * ```
   */
  readonly organizations: ReturnType<typeof makeListOrganizations>
  /**
   * Lists all sectors by id, or one; an unknown id gives none (H3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.sectors(caller, {})
   * ```
   */
  readonly sectors: ReturnType<typeof makeListSectors>
  /**
   * Lists the sectors of an organization by id; an unknown organization has none (H3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.organizationSectors(caller, { id: organization.id })
   * ```
   */
  readonly organizationSectors: ReturnType<typeof makeListOrganizationSectors>
  /**
   * Lists the introductions of an organization, in one language or both (H3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.introductions(caller, { id: organization.id, lang: 'fr' })
   * ```
   */
  readonly introductions: ReturnType<typeof makeListIntroductions>
  /**
   * Lists the summaries of an organization, in one language or both (H3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.summaries(caller, { id: organization.id, lang: 'fr' })
   * ```
   */
  readonly summaries: ReturnType<typeof makeListSummaries>
  /**
   * Lists the programs of an organization, in one language or both (H3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.programs(caller, { id: organization.id, lang: 'fr' })
   * ```
   */
  readonly programs: ReturnType<typeof makeListPrograms>
  /**
   * Lists the challenges of an organization, in one language or both (H3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.challenges(caller, { id: organization.id, lang: 'fr' })
   * ```
   */
  readonly challenges: ReturnType<typeof makeListChallenges>
  /**
   * Lists the yearly figures of an organization (H3). Budgets are whole units of their currency.
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.datasets(caller, { id: organization.id, year: 2017 })
   * ```
   */
  readonly datasets: ReturnType<typeof makeListDatasets>
  /**
   * Checks the rows and images of a portfolio and compares it with the stored one (H1). Changes nothing. For operators: checks no caller.
   * Fails with PortfolioRefused, UploadRefused, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.plan({ draft, read, report })
   * ```
   */
  readonly plan: ReturnType<typeof makePlanPortfolio>
  /**
   * Replaces the portfolio as a whole, after checking it and storing its images (H1). For operators: checks no caller.
   * Fails with PortfolioChanged, PortfolioRefused, UploadRefused, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.load({ draft, read, report })
   * ```
   */
  readonly load: ReturnType<typeof makeLoadPortfolio>
  /**
   * Finds texts that lack a language or whose highlight is not part of the text (H1). For operators: checks no caller.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.checkTexts()
   * ```
   */
  readonly checkTexts: ReturnType<typeof makeCheckTexts>
  /**
   * Lists the texts that lack a language or their highlight, of the whole portfolio or of one organization (H1).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.textFindings(manager, { organizationId: organization.id })
   * ```
   */
  readonly textFindings: ReturnType<typeof makeListTextFindings>
  /**
   * Checks the files of an uploaded portfolio and returns their errors by file and line, or what a load would change (H1). Changes nothing.
   * Fails with InsufficientScope, RightsEnded, UploadRefused, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.review(manager, files)
   * ```
   */
  readonly review: ReturnType<typeof makeReviewPortfolio>
  /**
   * Replaces the portfolio by that of reviewed files, and records it (H1, K1). Does what was reviewed, or nothing.
   * Fails with InsufficientScope, PortfolioChanged, PresenceRequired, RightsEnded, UploadRefused, ValidationFailed, Unavailable
   * or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.portfolio.replace(manager, { fingerprint: plan.fingerprint }, files)
   * ```
   */
  readonly replace: ReturnType<typeof makeReplacePortfolio>
}

/** Binds the use cases of the portfolio to ports and a policy. */
export const makePortfolioArea = (ports: Ports, policy: Policy): PortfolioArea => ({
  show: makeShowPortfolio(ports),
  organizations: makeListOrganizations(ports, policy),
  sectors: makeListSectors(ports),
  organizationSectors: makeListOrganizationSectors(ports),
  introductions: makeListIntroductions(ports),
  summaries: makeListSummaries(ports),
  programs: makeListPrograms(ports),
  challenges: makeListChallenges(ports),
  datasets: makeListDatasets(ports),
  plan: makePlanPortfolio(ports),
  load: makeLoadPortfolio(ports),
  checkTexts: makeCheckTexts(ports),
  textFindings: makeListTextFindings(ports),
  review: makeReviewPortfolio(ports, policy),
  replace: makeReplacePortfolio(ports),
})
