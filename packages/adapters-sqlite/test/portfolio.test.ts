import { deepStrictEqual } from 'node:assert/strict'
import { makeStore } from '@almoner/adapters-kysely'
import {
  type ChallengeId,
  EMPTY_PORTFOLIO,
  foldedWords,
  matchesOrganization,
  type OrganizationId,
  type OrganizationQuery,
  type PortfolioName,
  type SectorId,
} from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import { collect, compareText, LANGUAGES, type PageRequest, WHOLE_COLLECTION } from '@almoner/domain/values'
import {
  done,
  sampleChallenge,
  sampleDataset,
  sampleOrganization,
  samplePortfolio,
  sampleProgram,
  sampleSector,
} from '@almoner/testkit/contracts'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { spiedDatabase } from './spied-database.ts'
import { databaseOf, storeOf } from './store-of.ts'

const ALL: OrganizationQuery = { id: O.none, words: [], joined: O.none }

t.test('H2, H3: every list of organizations follows the domain’s filter and order', async (t) => {
  const file = `${t.testdir()}/almoner.db`
  const { portfolio, close } = await storeOf(file)
  const { portfolio: elsewhere, close: closeOther } = await storeOf(file)
  const piece = fc.constantFrom(
    'é',
    'E',
    'œ',
    'ß',
    '%',
    '_',
    '!',
    '\\',
    "'",
    '"',
    '’',
    ' ',
    'İ',
    'ı',
    'Ω',
    '日',
    '😀',
    '[',
    '*',
    'a',
    'B',
  )
  const phrase = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
  const drawn = fc.record({
    names: fc.array(phrase, { minLength: 1, maxLength: 8 }),
    fragments: fc.array(phrase, { maxLength: 4 }),
    joined: fc.option(fc.constantFrom(2015, 2016), { nil: undefined }),
  })
  const property = fc.asyncProperty(drawn, async ({ names, fragments, joined }) => {
    const organizations = names
      .map((name, n) =>
        sampleOrganization(`${name}${n}`, { name: name as PortfolioName, since: 2015 + (n % 2) }),
      )
      .toSorted((a, b) => compareText(a.id, b.id))
    await done(portfolio.replace({ ...EMPTY_PORTFOLIO, organizations }))
    for (const fragment of ['', ...fragments]) {
      const query = { ...ALL, words: foldedWords(fragment), joined: O.fromNullable(joined) }
      const expected = organizations.filter(matchesOrganization(query)).map(({ id }) => id)
      const ids = async (lists: Portfolio, window: PageRequest<OrganizationId>) =>
        (await collect(await done(lists.organizations(query, window)))).map(({ id }) => id)
      deepStrictEqual(await ids(portfolio, WHOLE_COLLECTION), expected)
      for (const lists of [portfolio, elsewhere]) {
        deepStrictEqual(await ids(lists, { lim: O.some(20), offset: 0, after: O.none }), expected)
        const [first] = expected
        if (first === undefined) continue
        deepStrictEqual(await ids(lists, { lim: O.some(1), offset: 1, after: O.none }), expected.slice(1, 2))
        deepStrictEqual(
          await ids(lists, { lim: O.some(20), offset: 0, after: O.some(first) }),
          expected.slice(1),
        )
      }
    }
  })
  await t.resolves(fc.assert(property, { numRuns: 150 }))
  await close()
  await closeOther()
})

/** One list, the table it reads and the index that must serve it. */
interface Case {
  readonly index: RegExp
  readonly run: (portfolio: Portfolio) => Promise<unknown>
}

const id = 'o1500' as OrganizationId
const LANGS = [O.none, ...LANGUAGES.map(O.some)]
const windows = <P>(place: P) =>
  [O.none, O.some(place)].flatMap((after) => [
    { lim: O.some(20), offset: 0, after },
    { lim: O.some(20), offset: 30, after },
    { lim: O.some(600), offset: 30, after },
    { lim: O.none, offset: 0, after },
  ])

const KEY = (table: string) =>
  new RegExp(`^(SEARCH|SCAN) portfolio_${table} USING INDEX sqlite_autoindex_portfolio_${table}_1`)

const CASES: ReadonlyArray<Case> = [
  ...windows(id).flatMap(
    (window): ReadonlyArray<Case> => [
      { index: KEY('organization'), run: async (p) => collect(await done(p.organizations(ALL, window))) },
      {
        index: KEY('organization'),
        run: async (p) => collect(await done(p.organizations({ ...ALL, words: ['nord'] }, window))),
      },
      {
        index:
          /^SEARCH portfolio_organization USING INDEX portfolio_organization_since \(since=\?( AND id>\?)?\)$/,
        run: async (p) =>
          collect(await done(p.organizations({ ...ALL, joined: O.some(2016), words: ['nord'] }, window))),
      },
    ],
  ),
  ...LANGS.flatMap((lang) => [
    ...windows({ lang: O.isSome(lang) ? lang.value : ('en' as const), rank: 900 }).map(
      (window): Case => ({
        index: KEY('program'),
        run: async (p) => collect(await done(p.programs({ organization: id, lang }, window))),
      }),
    ),
    ...windows({ id: 900 as ChallengeId, lang: 'en' as const }).map(
      (window): Case => ({
        index: KEY('challenge'),
        run: async (p) => collect(await done(p.challenges({ organization: id, lang }, window))),
      }),
    ),
    {
      index: KEY('summary'),
      run: async (p: Portfolio) =>
        collect(await done(p.summaries({ organization: id, lang }, WHOLE_COLLECTION))),
    },
    {
      index: KEY('introduction'),
      run: async (p: Portfolio) =>
        collect(await done(p.introductions({ organization: id, lang }, WHOLE_COLLECTION))),
    },
  ]),
  {
    index: KEY('dataset'),
    run: async (p) => collect(await done(p.datasets({ organization: id, year: O.none }, WHOLE_COLLECTION))),
  },
  {
    index: KEY('dataset'),
    run: async (p) =>
      collect(await done(p.datasets({ organization: id, year: O.some(2016) }, WHOLE_COLLECTION))),
  },
  {
    index: KEY('sector'),
    run: async (p) => collect(await done(p.sectors({ id: O.none, organization: O.none }, WHOLE_COLLECTION))),
  },
  {
    index: KEY('sector'),
    run: async (p) =>
      collect(
        await done(p.sectors({ id: O.some('s1' as SectorId), organization: O.none }, WHOLE_COLLECTION)),
      ),
  },
]

const filled = async (file: string) => {
  const database = await databaseOf(file)
  const numbers = Array.from({ length: 2000 }, (_, n) => n)
  await done(
    makeStore(database).portfolio.replace({
      ...EMPTY_PORTFOLIO,
      sectors: numbers.slice(0, 100).map((n) => sampleSector(`s${n}`)),
      organizations: numbers.map((n) =>
        sampleOrganization(`o${n}`, { since: 2015 + (n % 4), sectors: [`s${n % 100}` as SectorId] }),
      ),
      programs: LANGUAGES.flatMap((lang) => numbers.map((n) => sampleProgram(id, lang, n))),
      challenges: numbers.flatMap((n) => LANGUAGES.map((lang) => sampleChallenge(id, n, lang))),
      datasets: numbers.slice(1, 200).map((n) => sampleDataset(id, n)),
    }),
  )
  return database
}

/** Whether one step reads the rows in order, and a place behind them is sought with all its columns. */
const faultOf = (text: string, steps: ReadonlyArray<string>, index: RegExp): string => {
  const [step, ...more] = steps
  if (step === undefined) return ''
  if (more.length > 0 || !index.test(step)) return [step, ...more].join('; ')
  if (text.includes(') > (?') && !step.startsWith('SEARCH')) return step
  return /\(lang, rank\) > /.test(text) && !/\(lang,rank\)>\(\?,\?\)/.test(step) ? step : ''
}

t.test(
  'C11, H3: every list of the portfolio is read in order from an index, and pages are sought in it',
  async (t) => {
    const database = await filled(`${t.testdir()}/almoner.db`)
    const spy = spiedDatabase(database)
    const { portfolio } = makeStore(spy.database)
    const faults = async () => {
      const found: Array<readonly [text: string, fault: string]> = []
      for (const { index, run } of CASES) {
        await run(portfolio)
        const plans = await spy.plans()
        if (plans.length === 0) throw new Error('nothing was asked')
        for (const { text, steps } of plans) found.push([text, faultOf(text, steps, index)])
      }
      return found.filter(([, fault]) => fault !== '')
    }
    t.strictSame(await faults(), [], 'without statistics')
    await done(database.write(async (db) => E.right(await sql`analyze`.execute(db))))
    t.strictSame(await faults(), [], 'with statistics')

    await collect(await done(portfolio.sectors({ id: O.none, organization: O.some(id) }, WHOLE_COLLECTION)))
    await done(portfolio.head())
    const scans = (await spy.plans()).flatMap(({ steps }) => steps.filter((step) => step.startsWith('SCAN ')))
    t.strictSame(scans, ['SCAN portfolio'], 'the only row')
    await database.close()
  },
)

t.test('H1: a load that fails midway keeps the old portfolio', async (t) => {
  const { portfolio, close } = await storeOf(`${t.testdir()}/almoner.db`)
  await done(portfolio.replace(samplePortfolio()))
  const broken = { ...samplePortfolio(), datasets: [sampleDataset('nobody', 2016)] }
  await t.rejects(portfolio.replace(broken)(), /FOREIGN KEY/)
  t.strictSame(await done(portfolio.content()), samplePortfolio())
  await close()
})

t.test('H1: tables reject the rows that the domain’s rules reject', async (t) => {
  const store = await storeOf(`${t.testdir()}/almoner.db`)
  await done(store.portfolio.replace(samplePortfolio()))
  const refused = (name: string, statement: string, reason: RegExp) =>
    t.rejects(
      store.database.write(async (db) => E.right(await sql.raw(statement).execute(db)))(),
      reason,
      name,
    )
  await refused('a sector without a name', `update portfolio_sector set en = null, fr = null`, /CHECK/)
  await refused('an organization of no name', `update portfolio_organization set name = ''`, /CHECK/)
  await refused(
    'two datasets of one year',
    `update portfolio_dataset set year = 2016, organization_id = 'acme'`,
    /UNIQUE/,
  )
  await refused('a sector that is held', `delete from portfolio_sector where id = 'water'`, /FOREIGN KEY/)
  await refused('a text of nobody', `update portfolio_summary set organization_id = 'nobody'`, /FOREIGN KEY/)
  await store.close()
})
