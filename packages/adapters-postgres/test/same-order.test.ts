import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import { openSqlite } from '@almoner/adapters-sqlite'
import type { OrganizationQuery, PortfolioContent } from '@almoner/domain/portfolio'
import { collect, folded, WHOLE_COLLECTION } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { codePoint } from '../../domain/test/code-point.ts'
import { clock, freshStore } from './store-of.ts'

// Orders, pages and searches by text give the same results on PostgreSQL and SQLite.

const stores = async (folder: string) => {
  const database = await done(openSqlite({ file: `${folder}/almoner.db` }))
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  const sqlite = { ...makeStore(database), database, close: database.close }
  return { sqlite, postgres: await freshStore() }
}

/** Any text that both can hold: all of Unicode but U+0000 and lone surrogates (B6). */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('a', 'A', 'é', 'É', 'ß', 'İ', 'ı', ' ', '%', '_', '!', '\\', '’', '𝒜', '！', '-'),
      codePoint,
    ),
    minLength: 1,
    maxLength: 6,
  })
  .filter((one) => !one.includes('\0') && one.isWellFormed())

type Stores = Awaited<ReturnType<typeof stores>>
type Either = Stores['sqlite'] | Stores['postgres']

t.test('text is ordered and paged by code points', async (t) => {
  const { sqlite, postgres } = await stores(t.testdir())
  const put = async ({ database }: Either, emails: ReadonlyArray<string>) =>
    done(
      database.write(async (db) => {
        await sql`delete from person`.execute(db)
        const rows = emails.map((email) => ({
          email: email as never,
          lang: 'en' as const,
          subscribed: 1 as const,
        }))
        await db.insertInto('person').values(rows).execute()
        return { _tag: 'Right' as const, right: undefined }
      }),
    )
  const orders = ({ database }: Either, place: string) =>
    done(
      database.read(async (db) => ({
        whole: await db.selectFrom('person').select('email').orderBy('email').execute(),
        behind: await db
          .selectFrom('person')
          .select('email')
          .where('email', '>', place as never)
          .orderBy('email', 'desc')
          .execute(),
      })),
    )
  const property = fc.asyncProperty(
    fc.uniqueArray(text, { minLength: 1, maxLength: 12 }),
    text,
    async (emails, place) => {
      for (const store of [sqlite, postgres]) await put(store, emails)
      const [one, other] = [await orders(sqlite, place), await orders(postgres, place)]
      return JSON.stringify(one) === JSON.stringify(other)
    },
  )
  await t.resolves(fc.assert(property, { numRuns: 150 }))
  await sqlite.close()
  await postgres.close()
})

const contentOf = (names: ReadonlyArray<string>): PortfolioContent => ({
  name: 'P',
  sectors: [],
  organizations: names.map((name, n) => ({
    id: `o-${String(n).padStart(5, '0')}`,
    name,
    since: 2015 + (n % 4),
    founded: 1990,
    website: O.none,
    sectors: [],
    logo: 'a.svg',
    visual: 'b.png',
  })) as never,
  introductions: [],
  summaries: [],
  programs: [],
  challenges: [],
  datasets: [],
})

const search = (name: string): OrganizationQuery => ({
  id: O.none,
  joined: O.none,
  words: folded(name)
    .split(/\s+/u)
    .filter((word) => word !== '') as never,
})

const found = async ({ portfolio }: Either, query: OrganizationQuery) =>
  (await collect(await done(portfolio.organizations(query, WHOLE_COLLECTION)))).map(({ id }) => id)

t.test('H2: names are searched as in SQLite', async (t) => {
  const { sqlite, postgres } = await stores(t.testdir())
  const property = fc.asyncProperty(
    fc.array(text, { maxLength: 8 }),
    fc.array(text, { minLength: 1, maxLength: 5 }),
    async (names, asked) => {
      for (const store of [sqlite, postgres]) await done(store.portfolio.replace(contentOf(names)))
      for (const one of asked)
        if (`${await found(sqlite, search(one))}` !== `${await found(postgres, search(one))}`) return false
      return true
    },
  )
  await t.resolves(fc.assert(property, { numRuns: 30 }))
  await sqlite.close()
  await postgres.close()
})

t.test('H2: ten thousand names are searched in one scan of a small table', async (t) => {
  const store = await freshStore()
  const names = Array.from({ length: 10_000 }, (_, n) => `Fondation n° ${n} pour l’éducation à Genève`)
  await done(store.portfolio.replace(contentOf(names)))
  t.strictSame(await found(store, search('GENEVE 9999')), ['o-09999'])
  const plan = await done(
    store.database.read(async (db) => {
      const { rows } = await sql<Record<string, string>>`explain (analyze, timing off)
      select id from portfolio_organization where folded_name like ${'%9999%'} escape '!' order by id limit 50`.execute(
        db,
      )
      return rows.flatMap((row) => Object.values(row))
    }),
  )
  t.match(plan.join('\n'), /portfolio_organization_pkey|Seq Scan/)
  t.comment(plan.join('\n'))
  await store.close()
})
