import type { Organization, OrganizationId, OrganizationQuery, PortfolioImageName } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { namesOf } from '../conditions.ts'
import type { Db } from '../engine.ts'
import { makeStatements } from '../statement.ts'
import type { OrganizationRow } from '../tables.ts'
import type { PartOf } from './list.ts'
import { organizationTable } from './organization-table.ts'

/** Organizations kept at most, of some hundred bytes each. With more, names are searched in the database. */
const MOST = 20_000

type Found = Organization<PortfolioImageName>

interface AtHand {
  /** The mark of the load that they come from. */
  readonly mark: number
  /** All of them in their order; none when there are too many. */
  readonly organizations: ReadonlyArray<{
    readonly organization: Found
    readonly foldedName: string
  }>
  readonly isWhole: boolean
}

const MARK = "select mark from shelf where name = 'portfolio'"

/**
 * Searches names among organizations kept at hand, which takes a quarter of what the database takes to look at every name. They are
 * read anew once another portfolio was loaded. Gives undefined where the database has to be asked after all.
 */
export const makeSearchAtHand = () => {
  const run = makeStatements()
  const columns = namesOf([...organizationTable.columns, 'folded_name'])
  const all = `select ${columns}, (${MARK}) as mark from ${organizationTable.table} order by id limit ?`
  let kept: AtHand | undefined

  const present = async (db: Db): Promise<number> => (await run<AtHand>(db, MARK, []))[0]?.mark ?? 0

  const read = async (db: Db, mark: number): Promise<AtHand> => {
    const rows = await run<OrganizationRow & Pick<AtHand, 'mark'>>(db, all, [MOST + 1])
    const isWhole = rows.length <= MOST
    const organizations = isWhole
      ? rows.map((row) => ({ organization: organizationTable.fromRow(row), foldedName: row.folded_name }))
      : []
    return { mark: rows[0]?.mark ?? mark, organizations, isWhole }
  }

  /** The first so many that match. */
  const matching = ({ organizations }: AtHand, { id, words, joined }: OrganizationQuery, most: number) => {
    const found: Array<Found> = []
    for (const { organization, foldedName } of organizations) {
      const isIn =
        words.every((word) => foldedName.includes(word)) &&
        (O.isNone(joined) || joined.value === organization.since) &&
        (O.isNone(id) || id.value === organization.id)
      if (isIn) found.push(organization)
      if (found.length === most) break
    }
    return found
  }

  return async (
    db: Db,
    query: OrganizationQuery,
    { after, skip, most }: PartOf<OrganizationId>,
  ): Promise<ReadonlyArray<Found> | undefined> => {
    // An order that goes on behind a place is the database's to know.
    if (query.words.length === 0 || O.isSome(after)) return undefined
    const mark = await present(db)
    if (kept?.mark !== mark) kept = await read(db, mark)
    return kept.isWhole ? matching(kept, query, skip + most).slice(skip) : undefined
  }
}
