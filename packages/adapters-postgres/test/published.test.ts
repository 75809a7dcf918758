import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import type { PortfolioContent, PortfolioName } from '@almoner/domain/portfolio'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { clock, engineOn, freshlyMigrated } from './store-of.ts'

// I10: every table has a primary key. Change data capture and upgrades by logical replication publish all tables, and PostgreSQL then changes no
// row of a table without one.

const UNRELEASED = join(
  import.meta.dirname,
  '../../../apps/almoner/test/fixtures/unreleased/3eeb9f0d.postgres.sql.gz',
)

const PUBLISH = 'create publication everything for all tables'

const portfolioOf = (name: string): PortfolioContent => ({
  name: name as PortfolioName,
  sectors: [],
  organizations: [],
  introductions: [],
  summaries: [],
  programs: [],
  challenges: [],
  datasets: [],
})

t.test('I10: every table has a primary key, and none is published without', async (t) => {
  const { cluster, name } = await freshlyMigrated()
  const tables = await cluster.ask(
    `select c.relname as name, exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as keyed
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    name,
  )
  t.ok(tables.length > 30)
  t.strictSame(
    tables.filter(({ keyed }) => keyed !== true).map((table) => table['name']),
    [],
  )
})

t.test(
  'I10: a portfolio is replaced while all tables are published, also after an adoption (ADR 53)',
  async (t) => {
    const { cluster, name } = await freshlyMigrated()
    await cluster.createDatabase('published')
    // The portfolio of an unreleased state has no key yet.
    await cluster.ask(gunzipSync(readFileSync(UNRELEASED)).toString(), 'published')
    for (const place of [name, 'published']) {
      const database = await engineOn(cluster.url(place))
      await cluster.ask(PUBLISH, place)
      await done(makeMigrator(database, clock, MIGRATIONS).migrate())
      const { portfolio } = makeStore(database)
      for (const text of ['One', 'Two']) {
        await done(portfolio.replace(portfolioOf(text)))
        t.match(await done(portfolio.head()), { name: text })
      }
      await database.close()
    }
  },
)
