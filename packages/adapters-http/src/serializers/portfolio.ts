import { PORTFOLIO_IMAGE_KINDS, type PortfolioImageName, portfolioImagePath } from '@almoner/domain/media'
import {
  type Challenge,
  type Dataset,
  FINDING_KINDS,
  FINDING_SUBJECTS,
  type Introduction,
  type NamedTextFinding,
  type Organization,
  type OrganizationChange,
  PORTFOLIO_TABLES,
  type PortfolioFileFault,
  type PortfolioHead,
  type PortfolioPlan,
  type PortfolioReview,
  type Program,
  type ReviewedPlan,
  type Sector,
  type Summary,
  TABLE_LOADS,
  type TextFindingList,
} from '@almoner/domain/portfolio'
import { LANGUAGES } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, orEmpty, under } from './codecs.ts'

/** A text of the portfolio that lacks a language or its highlight; `challenge` is the number of the challenge, where it is one (H1). */
const TextFindingJson = under('finding', {
  about: literals(FINDING_SUBJECTS),
  id: t.string,
  name: t.string,
  lang: LANG,
  kind: literals(FINDING_KINDS),
  challenge: t.union([t.Int, t.null]),
})

/** Findings about texts: the first thousand, with the number of all. */
export const TextFindingsJson = t.strict({ findings: t.array(TextFindingJson), findingCount: t.Int })

/** Writes a finding about a text. */
const encodeTextFinding = ({ finding, name }: NamedTextFinding): t.OutputOf<typeof TextFindingJson> => ({
  finding: {
    about: finding.about,
    id: finding.id,
    name,
    lang: finding.lang,
    kind: finding.kind,
    challenge: O.toNullable(O.map(int)(finding.challenge)),
  },
})

/** Writes findings about texts. */
export const encodeTextFindings = ({
  findings,
  count,
}: TextFindingList): t.OutputOf<typeof TextFindingsJson> => ({
  findings: findings.map(encodeTextFinding),
  findingCount: int(count),
})

/** The portfolio as callers see it. */
export const PortfolioJson = under('portfolio', { name: t.string, organizations: t.Int })

export const encodePortfolio = ({ name, organizations }: PortfolioHead): t.TypeOf<typeof PortfolioJson> => ({
  portfolio: { name, organizations: int(organizations) },
})

/** A sector as callers see it: a label for each language that it has a name in. */
export const SectorJson = under('sector', {
  sectorId: t.string,
  labels: t.array(t.strict({ label: t.strict({ sectorId: t.string, sectorName: t.string, lang: LANG }) })),
  logoUri: t.string,
})

export const encodeSector = ({
  id,
  names,
  logo,
}: Sector<PortfolioImageName>): t.TypeOf<typeof SectorJson> => ({
  sector: {
    sectorId: id,
    labels: LANGUAGES.flatMap((lang) => {
      const name = names[lang]
      return O.isSome(name) ? [{ label: { sectorId: id, sectorName: name.value, lang } }] : []
    }),
    logoUri: portfolioImagePath({ kind: 'logo', name: logo }),
  },
})

/** An organization as callers see it. */
export const OrganizationJson = under('organization', {
  id: t.string,
  name: t.string,
  since: t.Int,
  founded: t.Int,
  website: t.string,
  logoUri: t.string,
  visualUri: t.string,
})

export const encodeOrganization = (
  organization: Organization<PortfolioImageName>,
): t.TypeOf<typeof OrganizationJson> => ({
  organization: {
    id: organization.id,
    name: organization.name,
    since: int(organization.since),
    founded: int(organization.founded),
    website: orEmpty(organization.website),
    logoUri: portfolioImagePath({ kind: 'logo', name: organization.logo }),
    visualUri: portfolioImagePath({ kind: 'visual', name: organization.visual }),
  },
})

/** An introduction as callers see it. */
export const IntroductionJson = under('introduction', { id: t.string, lang: LANG, text: t.string })

export const encodeIntroduction = (text: Introduction): t.TypeOf<typeof IntroductionJson> => ({
  introduction: { id: text.organization, lang: text.lang, text: text.text },
})

/** A summary as callers see it. */
export const SummaryJson = under('summary', { id: t.string, lang: LANG, text: t.string, highlight: t.string })

export const encodeSummary = (text: Summary): t.TypeOf<typeof SummaryJson> => ({
  summary: { id: text.organization, lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A program as callers see it. The wrapper is `programs`, as the interface has it (H3). */
export const ProgramJson = under('programs', {
  id: t.string,
  lang: LANG,
  programTitle: t.string,
  programDescription: t.string,
})

export const encodeProgram = (text: Program): t.TypeOf<typeof ProgramJson> => ({
  programs: {
    id: text.organization,
    lang: text.lang,
    programTitle: text.title,
    programDescription: text.description,
  },
})

/** A challenge as callers see it: the id is its own number. */
export const ChallengeJson = under('challenge', {
  id: t.Int,
  lang: LANG,
  text: t.string,
  highlight: t.string,
})

export const encodeChallenge = (text: Challenge): t.TypeOf<typeof ChallengeJson> => ({
  challenge: { id: int(text.id), lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A dataset as callers see it. */
export const DatasetJson = under('dataset', {
  id: t.string,
  year: t.Int,
  beneficiaries: t.Int,
  ageFrom: t.string,
  ageTo: t.string,
  staffHeadcount: t.Int,
  budget: t.Int,
  budgetCurrency: t.string,
  vrVideoUrl: t.string,
})

export const encodeDataset = (dataset: Dataset): t.TypeOf<typeof DatasetJson> => ({
  dataset: {
    id: dataset.organization,
    year: int(dataset.year),
    beneficiaries: int(dataset.beneficiaries),
    ageFrom: orEmpty(dataset.ageFrom),
    ageTo: orEmpty(dataset.ageTo),
    staffHeadcount: int(dataset.staffHeadcount),
    budget: int(dataset.budget),
    budgetCurrency: dataset.budgetCurrency,
    vrVideoUrl: orEmpty(dataset.vrVideoUrl),
  },
})

const FaultJson = t.strict({ file: t.string, line: t.union([t.Int, t.null]), text: t.string })

const TABLE = literals(PORTFOLIO_TABLES)
const COUNTS = { added: t.Int, changed: t.Int, removed: t.Int }

const OrganizationChangeJson = t.strict({
  id: t.string,
  name: t.string,
  kind: t.keyof({ added: null, changed: null, removed: null }),
  tables: t.array(t.strict({ table: TABLE, ...COUNTS })),
})

const PlanJson = t.strict({
  name: t.string,
  fingerprint: t.string,
  tables: t.array(t.strict({ table: TABLE, load: literals(TABLE_LOADS), ...COUNTS, kept: t.Int })),
  organizations: t.array(OrganizationChangeJson),
  organizationCount: t.Int,
  findings: t.array(TextFindingJson),
  findingCount: t.Int,
  images: t.array(
    t.strict({ kind: literals(PORTFOLIO_IMAGE_KINDS), file: t.string, width: t.Int, height: t.Int }),
  ),
  imageCount: t.Int,
  years: t.array(t.Int),
})

/**
 * The errors of a portfolio's files, by file and line; without errors what a load would change (H1). Each list has at most a thousand elements,
 * with the number of all beside it (H4).
 */
export const PortfolioReviewJson = under('review', {
  faultCount: t.Int,
  faults: t.array(FaultJson),
  plan: t.union([PlanJson, t.null]),
})

/** A portfolio that was loaded. */
export const LoadedPortfolioJson = under('loaded', { name: t.string, organizations: t.Int })

const encodeFault = ({ file, line, text }: PortfolioFileFault): t.OutputOf<typeof FaultJson> => ({
  file,
  line: line === undefined ? null : int(line),
  text,
})

interface Counts {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

const encodeCounts = ({ added, changed, removed }: Counts) => ({
  added: int(added),
  changed: int(changed),
  removed: int(removed),
})

const encodeChange = ({
  id,
  name,
  kind,
  tables,
}: OrganizationChange): t.OutputOf<typeof OrganizationChangeJson> => ({
  id,
  name,
  kind,
  tables: tables.map(({ table, ...counts }) => ({ table, ...encodeCounts(counts) })),
})

const encodePlan = (plan: ReviewedPlan): t.OutputOf<typeof PlanJson> => ({
  name: plan.name,
  fingerprint: plan.fingerprint,
  tables: PORTFOLIO_TABLES.map((table) => ({
    table,
    load: plan.loads[table],
    ...encodeCounts(plan.changes[table]),
    kept: int(plan.changes[table].kept),
  })),
  organizations: plan.organizations.map(encodeChange),
  organizationCount: int(plan.organizationCount),
  findings: plan.findings.map(encodeTextFinding),
  findingCount: int(plan.findingCount),
  images: plan.images.map(({ kind, file, width, height }) => ({
    ...{ kind, file },
    ...{ width: int(width), height: int(height) },
  })),
  imageCount: int(plan.imageCount),
  years: plan.years.map(int),
})

/** Writes a review. */
export const encodeReview = ({ faults, plan }: PortfolioReview): t.OutputOf<typeof PortfolioReviewJson> => ({
  review: {
    faultCount: int(faults.length),
    faults: faults.map(encodeFault),
    plan: O.toNullable(O.map(encodePlan)(plan)),
  },
})

/** Writes what was loaded. */
export const encodeLoaded = ({ name, total }: PortfolioPlan): t.OutputOf<typeof LoadedPortfolioJson> => ({
  loaded: { name, organizations: int(total) },
})
