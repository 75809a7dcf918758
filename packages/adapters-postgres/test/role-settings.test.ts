import { done } from '@almoner/testkit/contracts'
import { sql } from 'kysely'
import t from 'tap'
import { ALL_ROLES } from './host-roles.ts'
import { storeAs } from './store-as.ts'

/** Settings of the planner, of protection, and of literals that no statement has: no answer depends on them. */
const OF_THE_HOST = [
  'backslash_quote',
  'enable_hashjoin',
  'enable_indexscan',
  'enable_seqscan',
  'escape_string_warning',
  'join_collapse_limit',
  'plan_cache_mode',
  'quote_all_identifiers',
  'row_security',
  'work_mem',
]

t.test(
  'I10: of the settings that a host makes for a role, none on which an answer depends counts',
  async (t) => {
    const settingsAs = async (role: typeof ALL_ROLES) => {
      const { database, close } = await storeAs(role)
      const { rows } = await done(
        database.read((db) =>
          sql<{
            readonly name: string
            readonly setting: string
          }>`select name, setting from pg_settings where name <> 'search_path'
            union all select 'schemas', current_schemas(false)::text`.execute(db),
        ),
      )
      await close()
      return new Map(rows.map(({ name, setting }) => [name, setting]))
    }
    const plain = await settingsAs({ name: 'plain' })
    const other = await settingsAs(ALL_ROLES)
    t.strictSame(
      [...plain].filter(([name, setting]) => other.get(name) !== setting).map(([name]) => name),
      OF_THE_HOST,
    )
  },
)
