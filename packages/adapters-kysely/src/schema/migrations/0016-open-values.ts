import type { ColumnCheck } from '../../database/database.ts'
import type { Migration } from './migration.ts'

const LANGUAGES = "check (lang in ('en', 'fr'))"
const PROVIDERS = "'fcm', 'apns', 'webpush'"

const IN_LANGUAGES = [
  'library_item',
  'feed_item',
  'person',
  'device',
  'notification',
  'delivery',
  'portfolio_introduction',
  'portfolio_summary',
  'portfolio_program',
  'portfolio_challenge',
]

const CHECKS: ReadonlyArray<ColumnCheck> = [
  ...IN_LANGUAGES.map((table) => ({ table, column: 'lang', text: LANGUAGES })),
  { table: 'device', column: 'kind', text: `check (kind in (${PROVIDERS}, 'unroutable'))` },
  { table: 'dead_device', column: 'kind', text: `check (kind in (${PROVIDERS}))` },
  { table: 'provider', column: 'name', text: `check (name in (${PROVIDERS}))` },
  { table: 'retry', column: 'held_for', text: `check (held_for in (${PROVIDERS}))` },
]

/** Languages and providers are checked by the domain alone: one more of them is no change of the schema. */
export const openValues: Migration = {
  name: '0016-open-values',
  statements: ({ dropChecks }) => dropChecks(CHECKS),
}
