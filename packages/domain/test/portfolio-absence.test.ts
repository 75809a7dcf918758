import { done, samplePortfolio } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import * as domain from './fixtures/domain.ts'
import { newFixture } from './fixtures/fixture.ts'

// H5: loads that lack tables, or have empty ones.

/** Empty tables of all that belongs to organizations. */
const NO_TEXTS = { introductions: [], summaries: [], programs: [], challenges: [], datasets: [] }

/** Files whose bytes are their names. */
const read: domain.ReadImageFile = (kind, file) => TE.right(new TextEncoder().encode(`${kind}/${file}`))

const material = (from: domain.PortfolioSource): domain.PortfolioMaterial => ({
  draft: domain.draftOf(from, (text) => text),
  read,
  report: () => undefined,
})

const TEXTS = ['introductions', 'summaries', 'programs', 'challenges', 'datasets'] as const

/** Rows of files that give the tables of the sample. */
const rowsOf = ({ sectors, organizations, ...texts }: domain.PortfolioContent) => ({
  sectors: sectors.map(({ id, names }) => ({
    sectorId: id,
    en: O.toUndefined(names.en),
    fr: O.toUndefined(names.fr),
    logo: 'a.png',
  })),
  organizations: organizations.map((one) => ({
    ...one,
    website: O.toUndefined(one.website),
    sectors: one.sectors.join(' '),
    logo: 'a.png',
    visual: 'a.png',
  })),
  introductions: texts.introductions.map(({ organization: id, lang, text }) => ({ id, lang, text })),
  summaries: texts.summaries.map(({ organization: id, lang, text }) => ({ id, lang, text })),
  programs: texts.programs.map(({ organization: id, lang, title, description }) => ({
    id,
    lang,
    programTitle: title,
    programDescription: description,
  })),
  challenges: texts.challenges.map(({ organization: owner, id, lang, text }) => ({
    organization: owner,
    id,
    lang,
    text,
  })),
  datasets: texts.datasets.map(
    ({ organization: id, year, beneficiaries, staffHeadcount, budget, budgetCurrency }) => ({
      ...{ id, year, beneficiaries, staffHeadcount, budget, budgetCurrency },
    }),
  ),
})

type Given = 'absent' | 'empty' | 'whole' | 'half'

/** A load of a part of the sample: the tables that it gives, and what each of them keeps of it. */
const partOf = (before: domain.PortfolioContent, how: Readonly<Record<domain.PortfolioTable, Given>>) => {
  const rows = rowsOf(before)
  const most = { absent: 99, empty: 0, half: 1, whole: 99 }
  const kept = <T extends domain.PortfolioTable>(table: T) => before[table].slice(0, most[how[table]])
  const given = domain.PORTFOLIO_TABLES.filter((table) => how[table] !== 'absent')
  const [ids, sectors] = [
    new Set(kept('organizations').map((one) => (one as domain.PortfolioContent['organizations'][number]).id)),
    new Set(kept('sectors').map((one) => (one as domain.PortfolioContent['sectors'][number]).id)),
  ]
  return {
    kept,
    tables: Object.fromEntries(given.map((table) => [table, rows[table].slice(0, most[how[table]])])),
    lost: TEXTS.flatMap((table) =>
      (kept(table) as ReadonlyArray<{ readonly organization: domain.OrganizationId }>)
        .filter(({ organization: id }) => !ids.has(id))
        .map(({ organization: id }) => ({ table, id })),
    ),
    lostSectors: (kept('organizations') as domain.PortfolioContent['organizations']).flatMap((one) =>
      one.sectors.filter((id) => !sectors.has(id)),
    ),
  }
}

type Part = ReturnType<typeof partOf>

const seeRefusal = (t: Test, { lost, lostSectors, tables }: Part, messages: ReadonlyArray<string>): void => {
  const said = (start: string, table: string) =>
    t.ok(
      messages.some((one) => one.startsWith(start) && one.includes(table)),
      `${start} ${table}`,
    )
  for (const { table, id } of lost)
    if (!Object.hasOwn(tables, table)) said(`organizations lacks the organization ${id},`, table)
  if (!Object.hasOwn(tables, 'organizations'))
    for (const id of lostSectors) said(`sectors lacks the sector ${id},`, 'organizations')
}

const LOADS = { absent: 'left', empty: 'emptied', half: 'replaced', whole: 'replaced' } as const

t.test('H5: absent tables stay, empty ones are emptied, and no row is left without its owner', async (t) => {
  const before = samplePortfolio()
  const given = fc.constantFrom<Given>('absent', 'empty', 'whole', 'half')
  const outcomes = new Set<string>()
  const check = async (how: Readonly<Record<domain.PortfolioTable, Given>>, name: string | undefined) => {
    const fixture = newFixture()
    await done(fixture.ports.portfolio.replace(before))
    const part = partOf(before, how)
    const loaded = await fixture.act.loadPortfolio(material({ name, tables: part.tables, unread: [] }))()
    const after = await done(fixture.ports.portfolio.content())
    outcomes.add(loaded._tag)
    t.equal(E.isLeft(loaded), part.lost.length + part.lostSectors.length > 0)
    if (E.isLeft(loaded)) {
      t.strictSame(after, before, 'nothing changes')
      const { faults } = loaded.left as domain.PortfolioRefused
      return seeRefusal(
        t,
        part,
        faults.map(({ table, message }) => `${table} ${message}`),
      )
    }
    t.equal(after.name, name ?? before.name)
    for (const table of domain.PORTFOLIO_TABLES) {
      t.equal(loaded.right.loads[table], LOADS[how[table]], table)
      t.equal(after[table].length, part.kept(table).length, table)
      if (how[table] === 'absent') t.strictSame(after[table], before[table], table)
    }
  }
  const tables = Object.fromEntries(domain.PORTFOLIO_TABLES.map((table) => [table, given]))
  await fc.assert(
    fc.asyncProperty(
      fc.record(tables as Record<domain.PortfolioTable, typeof given>),
      fc.constantFrom('Another name', undefined),
      check,
    ),
    { numRuns: 150 },
  )
  t.strictSame([...outcomes].toSorted(), ['Left', 'Right'])
})

t.test(
  'H5: a load that leaves tables or the name as they are fails where another load was faster',
  async (t) => {
    const before = samplePortfolio()
    const { sectors, organizations } = rowsOf(before)
    const partial = { name: undefined, tables: { sectors, organizations }, unread: [] }
    for (const [tables, expected] of [
      [partial, 'PortfolioChanged'],
      [{ ...partial, tables: { ...NO_TEXTS, sectors, organizations } }, 'PortfolioChanged'],
      [{ ...partial, name: 'Partial' }, 'PortfolioChanged'],
      [{ ...partial, name: 'Whole', tables: { ...NO_TEXTS, sectors, organizations } }, undefined],
    ] as const) {
      const fixture = newFixture()
      await done(fixture.ports.portfolio.replace(before))
      const slow = material(tables)
      const load = fixture.act.loadPortfolio({
        ...slow,
        draft: {
          ...slow.draft,
          compare: () =>
            pipe(
              fixture.ports.portfolio.replace({ ...before, name: 'Faster' }),
              TE.flatMap(() => slow.draft.compare()),
            ),
        },
      })
      const result = await load()
      t.equal(E.isLeft(result) ? result.left._tag : undefined, expected)
      t.equal(
        (await done(fixture.ports.portfolio.content())).name,
        expected === undefined ? 'Whole' : 'Faster',
      )
    }
  },
)

t.test('H5: identifiers, names and texts are NFC', async (t) => {
  const nfd = (text: string) => text.normalize('NFD')
  const fixture = newFixture()
  const id = nfd('évêché')
  const tables = {
    sectors: [{ sectorId: nfd('santé'), fr: nfd('Santé'), logo: 'a.png' }],
    organizations: [
      {
        ...{ id, name: nfd('Évêché'), since: 2016, founded: 1999, sectors: [nfd('santé')] },
        ...{ logo: nfd('é.png'), visual: 'a.png' },
      },
    ],
    introductions: [{ id: 'évêché', lang: 'fr', text: nfd('Une œuvre née à Évry') }],
    challenges: [{ organization: id, id: 1, lang: 'fr', text: nfd('Été') }],
  }
  await done(fixture.act.loadPortfolio(material({ name: nfd('Été'), tables, unread: [] })))
  const content = JSON.stringify(await done(fixture.ports.portfolio.content()))
  t.equal(content, content.normalize('NFC'))
  t.match(E.toUnion(domain.OrganizationId.decode(id)), 'évêché', 'also in a request')
  t.match(E.toUnion(domain.LabelId.decode(nfd('été'))), 'été')
})
