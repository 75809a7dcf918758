import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { FileName } from '../media/model.ts'
import { decode, type FieldError } from '../values/parameters.ts'
import type { Language } from '../values/text.ts'
import { crossFaults } from './cross-checks.ts'
import type { OrganizationId } from './ids.ts'
import type { PortfolioContent, PortfolioOf } from './portfolio.ts'
import { type ReadTables, readTables } from './read-tables.ts'
import { inFile } from './rows.ts'
import {
  firstOf,
  PORTFOLIO_LIMITS,
  type PortfolioFault,
  type PortfolioFaults,
  type PortfolioSource,
} from './source.ts'
import { PortfolioName } from './text.ts'

/** A portfolio whose images are still files beside its own. */
export type FilePortfolio = PortfolioOf<FileName>

const Head = inFile({ name: 'PortfolioFile', required: { name: PortfolioName }, optional: {} })

interface OfOrganization {
  readonly id: OrganizationId
  readonly lang: Language
}

/** Counts the rows of each organization and language, as they come. */
const ranks = () => {
  const next = new Map<string, number>()
  return ({ id, lang }: OfOrganization): number => {
    const rank = next.get(`${lang} ${id}`) ?? 0
    next.set(`${lang} ${id}`, rank + 1)
    return rank
  }
}

/** The texts of a table, each with what all texts have. */
const texts = <R extends OfOrganization, A>(rows: ReadonlyArray<R>, make: (row: R) => A) => {
  const rankOf = ranks()
  return rows.map((row) => ({
    organization: row.id,
    lang: row.lang,
    rank: rankOf(row),
    ...make(row),
  }))
}

const portfolioOf = (name: string, tables: ReadTables): FilePortfolio => ({
  name,
  sectors: tables.sectors.map(({ sectorId, en, fr, logo }) => ({
    id: sectorId,
    names: { en: O.fromNullable(en), fr: O.fromNullable(fr) },
    logo,
  })),
  organizations: tables.organizations.map((row) => ({
    id: row.id,
    name: row.name,
    since: row.since,
    founded: row.founded,
    website: O.fromNullable(row.website),
    sectors: row.sectors ?? [],
    logo: row.logo,
    visual: row.visual,
  })),
  introductions: texts(tables.introductions, ({ text }) => ({ text })),
  summaries: texts(tables.summaries, ({ text, highlight }) => ({
    text,
    highlight: O.fromNullable(highlight),
  })),
  programs: texts(tables.programs, ({ programTitle, programDescription }) => ({
    title: programTitle,
    description: programDescription,
  })),
  challenges: tables.challenges.map(({ organization, id, lang, text, highlight }) => ({
    organization,
    id,
    lang,
    text,
    highlight: O.fromNullable(highlight),
  })),
  datasets: tables.datasets.map((row) => ({
    organization: row.id,
    year: row.year,
    beneficiaries: row.beneficiaries,
    ageFrom: O.fromNullable(row.ageFrom),
    ageTo: O.fromNullable(row.ageTo),
    staffHeadcount: row.staffHeadcount,
    budget: row.budget,
    budgetCurrency: row.budgetCurrency,
    vrVideoUrl: O.fromNullable(row.vrVideoUrl),
  })),
})

const ofHead = ({ field, message }: FieldError): PortfolioFault => ({
  table: undefined,
  row: undefined,
  field,
  message,
})

/** Returns the name in the files. The present one stays if they state none (H5). */
const readName = ({ name }: PortfolioSource, before: PortfolioContent) =>
  name === undefined && before.name !== '' ? E.right({ name: before.name }) : decode(Head)({ name })

/**
 * Returns the portfolio in the files, without images and without the tables that stay as they are, or its errors: of single rows and between
 * rows (H1, H5), at most a thousand (H4).
 * @param before the portfolio that there is
 */
export const readPortfolio = (
  source: PortfolioSource,
  before: PortfolioContent,
): E.Either<PortfolioFaults, FilePortfolio> => {
  const head = readName(source, before)
  const { tables, faults } = readTables(source)
  const ofName = E.isLeft(head) ? head.left.errors.map(ofHead) : []
  const [first, ...more] = firstOf(PORTFOLIO_LIMITS.faults, ofName, faults, crossFaults(source, before))
  if (first !== undefined) return E.left([first, ...more])
  return E.map(({ name }: { readonly name: string }) => portfolioOf(name, tables))(
    head as E.Either<PortfolioFaults, { readonly name: string }>,
  )
}
