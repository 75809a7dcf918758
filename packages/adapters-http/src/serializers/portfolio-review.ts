import { PORTFOLIO_IMAGE_KINDS } from '@almoner/domain/media'
import {
  FINDING_KINDS,
  FINDING_SUBJECTS,
  type NamedTextFinding,
  type OrganizationChange,
  PORTFOLIO_TABLES,
  type PortfolioFileFault,
  type PortfolioPlan,
  type PortfolioReview,
  type ReviewedPlan,
  type RowChange,
  TABLE_LOADS,
  type TextFindingList,
} from '@almoner/domain/portfolio'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, under } from './codecs.ts'

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

const FaultJson = t.strict({ file: t.string, line: t.union([t.Int, t.null]), text: t.string })

const TABLE = literals(PORTFOLIO_TABLES)
const CHANGE = t.keyof({ added: null, changed: null, removed: null })
const COUNTS = { added: t.Int, changed: t.Int, removed: t.Int }

const OrganizationChangeJson = t.strict({
  id: t.string,
  name: t.string,
  kind: CHANGE,
  tables: t.array(t.strict({ table: TABLE, ...COUNTS })),
})

const RowChangeJson = t.strict({
  table: TABLE,
  kind: CHANGE,
  id: t.string,
  lang: t.union([LANG, t.null]),
  number: t.union([t.Int, t.null]),
  cells: t.array(
    t.strict({ column: t.string, before: t.union([t.string, t.null]), after: t.union([t.string, t.null]) }),
  ),
})

const PlanJson = t.strict({
  name: t.string,
  fingerprint: t.string,
  tables: t.array(t.strict({ table: TABLE, load: literals(TABLE_LOADS), ...COUNTS, kept: t.Int })),
  organizations: t.array(OrganizationChangeJson),
  organizationCount: t.Int,
  rows: t.array(RowChangeJson),
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

const encodeRow = ({ lang, number, cells, ...row }: RowChange): t.OutputOf<typeof RowChangeJson> => ({
  ...row,
  lang: O.toNullable(lang),
  number: O.toNullable(O.map(int)(number)),
  cells: cells.map(({ column, before = null, after = null }) => ({ column, before, after })),
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
  rows: plan.rows.map(encodeRow),
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
