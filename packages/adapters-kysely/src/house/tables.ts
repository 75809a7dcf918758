import { CONTENT_TABLES, MEDIA_TABLES } from './content-tables.ts'
import { PORTFOLIO_TABLES } from './portfolio-tables.ts'
import { PEOPLE_TABLES, SENDING_TABLES } from './sending-tables.ts'
import type { HouseTable } from './table.ts'

/**
 * Every table that moves, after those that its rows refer to; what shows images first. Access tokens stay behind, the
 * nodes that ran there, and the changes by which ranks are kept: there the count begins anew.
 */
export const HOUSE_TABLES: ReadonlyArray<HouseTable> = [
  ...MEDIA_TABLES,
  ...PORTFOLIO_TABLES,
  ...CONTENT_TABLES,
  ...PEOPLE_TABLES,
  ...SENDING_TABLES,
]
