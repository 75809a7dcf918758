import {
  PORTFOLIO_IMAGE_KINDS,
  PORTFOLIO_IMAGE_PATH,
  type PortfolioImageKind,
  type PortfolioImageName,
  portfolioImagePath,
} from '@almoner/domain/media'
import {
  Age,
  type Challenge,
  Currency,
  type Dataset,
  FINDING_KINDS,
  FINDING_SUBJECTS,
  type Introduction,
  type NamedTextFinding,
  type Organization,
  type OrganizationChange,
  OrganizationId,
  PORTFOLIO_TABLES,
  type PortfolioFileFault,
  type PortfolioHead,
  PortfolioName,
  type PortfolioPlan,
  type PortfolioReview,
  PortfolioText,
  type Program,
  type ReviewedPlan,
  type Sector,
  SectorId,
  type Summary,
  TABLE_LOADS,
  type TextFindingList,
} from '@almoner/domain/portfolio'
import { LANGUAGES } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import {
  count,
  emptyOr,
  int,
  LANG,
  literals,
  orEmpty,
  text as textCodec,
  textLike,
  URL_OR_EMPTY,
  under,
} from './codecs.ts'

const YEAR = count('Year.', 2025)

const imagePath = (kind: PortfolioImageKind) =>
  textCodec('Path of the image.', `${PORTFOLIO_IMAGE_PATH}${kind}/XkA3b5Zq9f.png`, {
    format: 'uri-reference',
  })

/** A text of the portfolio that lacks a language or its highlight; `challenge` is the number of the challenge, where it is one (H1). */
const TextFindingJson = under(
  'finding',
  {
    about: literals(FINDING_SUBJECTS),
    id: t.string,
    name: t.string,
    lang: LANG,
    kind: literals(FINDING_KINDS),
    challenge: t.union([t.Int, t.null]),
  },
  'TextFinding',
)

/** Findings about texts: the first thousand, with the number of all. */
export const TextFindingsJson = t.strict(
  { findings: t.array(TextFindingJson), findingCount: t.Int },
  'TextFindings',
)

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
export const PortfolioJson = under('portfolio', {
  name: textLike(PortfolioName),
  organizations: count('Number of organizations.', 24),
})

export const encodePortfolio = ({ name, organizations }: PortfolioHead): t.TypeOf<typeof PortfolioJson> => ({
  portfolio: { name, organizations: int(organizations) },
})

/** A sector as callers see it: a label for each language that it has a name in. */
export const SectorJson = under('sector', {
  sectorId: textLike(SectorId),
  labels: t.array(
    under(
      'label',
      { sectorId: textLike(SectorId), sectorName: textLike(PortfolioName), lang: LANG },
      'SectorLabel',
    ),
  ),
  logoUri: imagePath('logo'),
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
  id: textLike(OrganizationId),
  name: textLike(PortfolioName),
  since: YEAR,
  founded: YEAR,
  website: URL_OR_EMPTY,
  logoUri: imagePath('logo'),
  visualUri: imagePath('visual'),
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
export const IntroductionJson = under('introduction', {
  id: textLike(OrganizationId),
  lang: LANG,
  text: textLike(PortfolioText),
})

export const encodeIntroduction = (text: Introduction): t.TypeOf<typeof IntroductionJson> => ({
  introduction: { id: text.organization, lang: text.lang, text: text.text },
})

/** A summary as callers see it. */
export const SummaryJson = under('summary', {
  id: textLike(OrganizationId),
  lang: LANG,
  text: textLike(PortfolioText),
  highlight: emptyOr(PortfolioText),
})

export const encodeSummary = (text: Summary): t.TypeOf<typeof SummaryJson> => ({
  summary: { id: text.organization, lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A program as callers see it. The wrapper is `programs`, as the interface has it (H3). */
export const ProgramJson = under(
  'programs',
  {
    id: textLike(OrganizationId),
    lang: LANG,
    programTitle: textLike(PortfolioName),
    programDescription: textLike(PortfolioText),
  },
  'Program',
)

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
  text: textLike(PortfolioText),
  highlight: emptyOr(PortfolioText),
})

export const encodeChallenge = (text: Challenge): t.TypeOf<typeof ChallengeJson> => ({
  challenge: { id: int(text.id), lang: text.lang, text: text.text, highlight: orEmpty(text.highlight) },
})

/** A dataset as callers see it. */
export const DatasetJson = under('dataset', {
  id: textLike(OrganizationId),
  year: YEAR,
  beneficiaries: count('Number of people.', 120),
  ageFrom: emptyOr(Age),
  ageTo: emptyOr(Age),
  staffHeadcount: count('Number of people.', 9),
  budget: count('Amount in whole units of the currency.', 48000),
  budgetCurrency: textLike(Currency),
  vrVideoUrl: URL_OR_EMPTY,
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
