import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as TaskEither from 'fp-ts/lib/TaskEither.js'
import { FileName } from '../media/model.ts'
import type { PortfolioImageKind, PortfolioImageName } from '../media/portfolio-images.ts'
import type { RawParameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import {
  comparePortfolios,
  type OrganizationChange,
  type PortfolioChanges,
  type RowChange,
  rowChanges,
} from './changes.ts'
import { shownValue } from './messages.ts'
import { type PortfolioContent, withImages } from './model.ts'
import { readColumn, readPortfolio } from './reading.ts'
import {
  type FilePlace,
  firstOf,
  isRow,
  PORTFOLIO_LIMITS,
  PORTFOLIO_TABLES,
  type PortfolioFault,
  type PortfolioSource,
  type PortfolioTable,
  READING_STOPPED,
  rowFault,
} from './source.ts'
import { type NamedTextFinding, namedTextFindings } from './text-findings.ts'

/** An image's file, and every row that shows it. */
export interface ImageUse {
  readonly kind: PortfolioImageKind
  readonly file: FileName
  readonly rows: ReadonlyArray<{ readonly table: PortfolioTable; readonly row: number }>
}

const PLACES = [
  { table: 'sectors', kind: 'logo', fileIn: readColumn('logo', FileName) },
  { table: 'organizations', kind: 'logo', fileIn: readColumn('logo', FileName) },
  { table: 'organizations', kind: 'visual', fileIn: readColumn('visual', FileName) },
] as const

/** Returns every image in the rows, once each. Includes rows with errors, so that all errors are reported at once (H1). */
const imageUses = ({ tables }: PortfolioSource): ReadonlyArray<ImageUse> => {
  const uses = new Map<string, ImageUse & { readonly rows: Array<ImageUse['rows'][number]> }>()
  for (const { table, kind, fileIn } of PLACES)
    for (const [row, given] of (tables[table] ?? []).entries()) {
      const file = fileIn(given)
      if (file === undefined) continue
      const key = `${kind}/${file}`
      const use = uses.get(key) ?? { kind, file, rows: [] }
      use.rows.push({ table, row })
      uses.set(key, use)
    }
  return [...uses.values()]
}

/** An image that rows name, and the first of them. */
export interface NamedImage {
  readonly kind: PortfolioImageKind
  readonly file: FileName
  readonly use: Pick<PortfolioFault, 'table' | 'row' | 'place'>
}

/** What was found about an image: the name under which it is stored, or why it cannot be taken. */
export type ImageResult = Pick<NamedImage, 'kind' | 'file'> &
  (
    | { readonly name: PortfolioImageName; readonly refusal?: never }
    | { readonly refusal: string; readonly name?: never }
  )

/** The most changes and remarks of each kind that a plan names; it counts the others (I6). */
export const MOST_NAMED = 1000

/** Characters of the texts of named rows, beyond which no further row is named (I6). */
const MOST_TEXT = 1_000_000

/** Returns the first of the changed rows. */
const firstRows = (rows: Iterable<RowChange>): ReadonlyArray<RowChange> => {
  const first: Array<RowChange> = []
  let length = 0
  for (const row of rows) {
    if (first.length === MOST_NAMED || length > MOST_TEXT) break
    first.push(row)
    for (const { before = '', after = '' } of row.cells) length += before.length + after.length
  }
  return first
}

/** The effect of a load on a table: it is replaced, it is emptied, or it is absent from the load and left as it is (H5). */
export const TABLE_LOADS = ['replaced', 'emptied', 'left'] as const
/** One of {@link TABLE_LOADS}. */
export type TableLoad = (typeof TABLE_LOADS)[number]

/** The effect of a load on each table. */
export type TableLoads = Readonly<Record<PortfolioTable, TableLoad>>

const loadsOf = ({ tables }: PortfolioSource): TableLoads =>
  Object.fromEntries(
    PORTFOLIO_TABLES.map((table) => {
      const rows = tables[table]
      return [table, rows === undefined ? 'left' : rows.length === 0 ? 'emptied' : 'replaced']
    }),
  ) as unknown as TableLoads

/** Returns the rows of the files, and those of the present portfolio in the tables that the load leaves as they are (H5). */
const withTablesLeft = (
  content: PortfolioContent,
  before: PortfolioContent,
  loads: TableLoads,
): PortfolioContent => ({
  ...content,
  ...Object.fromEntries(
    PORTFOLIO_TABLES.filter((table) => loads[table] === 'left').map((table) => [table, before[table]]),
  ),
})

/** The changes of a load, bounded in size for all files (H4). */
export interface PlanSummary {
  readonly name: string
  readonly loads: TableLoads
  /** Whether the load leaves neither a table nor the name as it is, so that it does not matter what another load has changed meanwhile. */
  readonly isWhole: boolean
  readonly changes: PortfolioChanges
  /** The first by id. */
  readonly organizations: ReadonlyArray<OrganizationChange>
  readonly organizationCount: number
  /** The first, of sectors and then by organization, as far as their texts together are not too long. */
  readonly rows: ReadonlyArray<RowChange>
  /** Differs if the files or the portfolio differ: a load that names it does what was shown, or nothing. */
  readonly fingerprint: string
  readonly findings: ReadonlyArray<NamedTextFinding>
  readonly findingCount: number
  /** The years in which organizations joined, each once, in order. */
  readonly joined: ReadonlyArray<number>
  /** How many organizations there are afterwards. */
  readonly total: number
}

/** The files cannot be taken: too large, or damaged. The message completes "<file> …" or, without a file, "the upload …" (H4). */
export interface UploadRefused {
  readonly _tag: 'UploadRefused'
  readonly reason: 'too-large' | 'bad'
  readonly file: string | undefined
  readonly message: string
}

/**
 * The rows of a portfolio that is to be loaded, wherever they are: in this thread ({@link draftOf}), or in another one with a memory limit
 * (`@almoner/adapters-node/files`). Everything that crosses between the two is bounded, except the portfolio itself.
 */
export interface PortfolioDraft {
  /** Returns the images that rows name, once each. None if there are too many errors already. */
  readonly images: () => TE.TaskEither<UploadRefused | Unavailable, ReadonlyArray<NamedImage>>
  /**
   * Returns the errors of files, rows and images (H1), at most a thousand (H4).
   * @param before the portfolio that there is: tables that the load lacks stay as they are (H5)
   */
  readonly check: (
    images: ReadonlyArray<ImageResult>,
    before: PortfolioContent,
  ) => TE.TaskEither<UploadRefused | Unavailable, ReadonlyArray<PortfolioFault>>
  /** Compares a draft without errors with the portfolio that it was checked with. */
  readonly compare: () => TE.TaskEither<UploadRefused | Unavailable, PlanSummary>
  /** Returns the portfolio after the load of a draft without errors. */
  readonly content: () => TE.TaskEither<UploadRefused | Unavailable, PortfolioContent>
}

/** What the files of a draft add to its rows. */
export interface DraftFiles {
  /** The errors of the files beyond their rows. */
  readonly faults: ReadonlyArray<PortfolioFault>
  /** Returns the places of an error of rows; none where the files' own errors say it already. */
  readonly placed: (fault: PortfolioFault) => ReadonlyArray<PortfolioFault>
  /** Returns why an image cannot be taken, where that is known without reading it. */
  readonly whyMissing?: (image: Pick<NamedImage, 'kind' | 'file'>) => string | undefined
  /** Returns errors in the order in which people read them. */
  readonly sorted: (faults: ReadonlyArray<PortfolioFault>) => ReadonlyArray<PortfolioFault>
}

const WITHOUT_FILES: DraftFiles = { faults: [], placed: (fault) => [fault], sorted: (faults) => faults }

/** Names errors; if there are too many, the last one that is named says so (H4). */
const named = (faults: ReadonlyArray<PortfolioFault>, { sorted }: DraftFiles) => {
  const last = faults[PORTFOLIO_LIMITS.faults - 1]
  if (last === undefined) return sorted(faults)
  const { value: _, ...end } = last
  return [
    ...sorted(faults.slice(0, PORTFOLIO_LIMITS.faults - 1)),
    { ...end, field: '', message: READING_STOPPED },
  ]
}

const ownValue = (row: RawParameters, field: string): unknown =>
  Object.hasOwn(row, field) ? row[field] : undefined

const NO_ROW = { table: undefined, row: 0 }

const keyOf = ({ kind, file }: Pick<NamedImage, 'kind' | 'file'>): string => `${kind}/${file}`

/**
 * Makes the draft of rows that are in memory, checked in this thread.
 * @param digest gives different texts for different texts: that of the port `secrets`
 * @param files what the files of the rows add, if they come from files
 */
export const draftOf = (
  source: PortfolioSource,
  digest: (text: string) => string,
  files: DraftFiles = WITHOUT_FILES,
): PortfolioDraft => {
  let checked: { readonly before: PortfolioContent; readonly content: PortfolioContent } | undefined
  const loads = loadsOf(source)
  const uses = imageUses(source)
  const { whyMissing = () => undefined } = files
  const placeOf = (use: { readonly table: PortfolioFault['table']; readonly row: number }, field: string) => {
    const [placed] = files.placed({ ...use, field, message: '' })
    return placed?.place === undefined ? {} : { place: placed.place satisfies FilePlace }
  }
  const refused = function* (images: ReadonlyArray<ImageResult>): Generator<PortfolioFault> {
    const why = new Map(images.map((image) => [keyOf(image), image.refusal]))
    for (const use of uses) {
      const message = whyMissing(use) ?? why.get(keyOf(use))
      if (message !== undefined)
        for (const { table, row } of use.rows) yield rowFault(table, row, use.kind, message)
    }
  }
  const placedAll = function* (faults: Iterable<PortfolioFault>): Generator<PortfolioFault> {
    for (const fault of faults) yield* files.placed(withValue(fault))
  }
  const withValue = (fault: PortfolioFault): PortfolioFault => {
    const { table, row = -1, field } = fault
    const cells = table === undefined ? source : source.tables[table]?.[row]
    const value = shownValue(isRow(cells) ? ownValue(cells, field) : cells)
    return value === undefined ? fault : { ...fault, value }
  }
  const good = <A>(work: (after: NonNullable<typeof checked>) => A): TE.TaskEither<never, A> =>
    TaskEither.fromIO(() => {
      if (checked === undefined) throw new Error('the draft was not checked, or has errors')
      return work(checked)
    })
  return {
    images: () =>
      TaskEither.fromIO(() =>
        files.faults.length >= PORTFOLIO_LIMITS.faults
          ? []
          : uses
              .filter((use) => whyMissing(use) === undefined)
              .map(({ kind, file, rows: [first = NO_ROW] }) => ({
                kind,
                file,
                use: { ...first, ...placeOf(first, kind) },
              })),
      ),
    check: (images, before) =>
      TaskEither.fromIO(() => {
        const rows = readPortfolio(source, before)
        const bad = placedAll(E.isLeft(rows) ? rows.left : [])
        const faults = firstOf(PORTFOLIO_LIMITS.faults, files.faults, bad, placedAll(refused(images)))
        if (faults.length > 0 || E.isLeft(rows)) return named(faults, files)
        const names = new Map(images.map((image) => [keyOf(image), image.name]))
        const content = withImages((kind, file: FileName) => {
          const name = names.get(keyOf({ kind, file }))
          if (name === undefined) throw new Error('an image that rows name was not checked')
          return name
        })(rows.right)
        checked = { before, content: withTablesLeft(content, before, loads) }
        return []
      }),
    compare: () =>
      good(({ before, content }): PlanSummary => {
        const { changes, organizations, fingerprint } = comparePortfolios(before, content, digest)
        const findings = namedTextFindings(content)
        const listed = organizations.slice(0, MOST_NAMED)
        return {
          name: content.name,
          loads,
          isWhole: source.name !== undefined && !Object.values(loads).includes('left'),
          changes,
          organizations: listed,
          organizationCount: organizations.length,
          rows: firstRows(rowChanges(before, content, listed)),
          fingerprint,
          findings: findings.slice(0, MOST_NAMED),
          findingCount: findings.length,
          joined: [...new Set(content.organizations.map(({ since }) => since))].toSorted((a, b) => a - b),
          total: content.organizations.length,
        }
      }),
    content: () => good(({ content }) => content),
  }
}
