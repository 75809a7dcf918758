import type { PortfolioImageName } from '@almoner/domain/media'
import { type Sector, type SectorId, type SectorQuery, sectorCursor } from '@almoner/domain/portfolio'
import * as O from 'fp-ts/lib/Option.js'
import { condition } from '../../database/query.ts'
import { SECTOR_COLUMNS, type SectorRow } from '../../schema/portfolio.table.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'

/** The row that holds a sector. */
export const sectorRow = ({ id, names, logo }: Sector<PortfolioImageName>): SectorRow => ({
  id,
  en: O.toNullable(names.en),
  fr: O.toNullable(names.fr),
  logo,
})

/** Sectors, by id (H3). */
export const sectorTable: OrderedTable<Sector<PortfolioImageName>, SectorRow, SectorQuery, SectorId> = {
  table: 'portfolio_sector',
  columns: SECTOR_COLUMNS,
  fromRow: ({ id, en, fr, logo }) => ({
    id,
    names: { en: O.fromNullable(en), fr: O.fromNullable(fr) },
    logo,
  }),
  cursorOf: sectorCursor,
  order: () => ({ direction: 'asc', columns: ['id'], cells: (id) => [id] }),
  conditions: ({ id, organization }) => [
    ...(O.isSome(id) ? [condition('id = ?', id.value)] : []),
    ...(O.isSome(organization)
      ? [
          condition(
            'id in (select sector_id from portfolio_organization_sector where organization_id = ?)',
            organization.value,
          ),
        ]
      : []),
  ],
}
