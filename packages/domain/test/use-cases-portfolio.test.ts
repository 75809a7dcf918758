import { collect } from '@almoner/domain/values'
import { done, failure, samplePortfolio } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { combinations } from './fixtures/combinations.ts'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { manager, newFixture, user } from './fixtures/fixture.ts'

const CONTENT = samplePortfolio()

const loaded = async () => {
  const fixture = newFixture()
  await done(fixture.ports.portfolio.replace(CONTENT))
  return fixture.act
}

const all = async <A, P>(list: TE.TaskEither<unknown, domain.ResultSet<A, P>>): Promise<ReadonlyArray<A>> =>
  collect(await done(list))

const IDS = ['acme', 'zenith', 'no']

t.test('H2, H3: the texts of an organization are listed in one language or in all, in order', async (t) => {
  const act = await loaded()
  for (const raw of combinations({ id: IDS, lang: [undefined, '', 'en', 'FR'] })) {
    const told = JSON.stringify(raw)
    const isAsked = ({ organization, lang }: { readonly organization: string; readonly lang: string }) =>
      organization === raw.id &&
      (raw.lang === undefined || raw.lang === '' || lang === raw.lang.toLowerCase())
    t.strictSame(
      await all(act.listIntroductions(user, read(domain.ListIntroductions, raw))),
      CONTENT.introductions.filter(isAsked),
      `introductions ${told}`,
    )
    t.strictSame(
      await all(act.listSummaries(user, read(domain.ListSummaries, raw))),
      CONTENT.summaries.filter(isAsked),
      `summaries ${told}`,
    )
    t.strictSame(
      await all(act.listPrograms(user, read(domain.ListPrograms, raw))),
      CONTENT.programs.filter(isAsked),
      `programs ${told}`,
    )
    t.strictSame(
      await all(act.listChallenges(user, read(domain.ListChallenges, raw))),
      CONTENT.challenges.filter(isAsked),
      `challenges ${told}`,
    )
  }
})

/** Follows `next` from the requested page to the end. */
const walk = async <A, P>(
  list: (raw: domain.RawParameters) => TE.TaskEither<unknown, domain.ResultSet<A, P>>,
  raw: domain.RawParameters,
  textOf: (place: P) => string,
): Promise<ReadonlyArray<ReadonlyArray<A>>> => {
  const pages: Array<ReadonlyArray<A>> = []
  let at = raw
  for (;;) {
    const page = await done(list(at))
    pages.push(await collect(page))
    if (O.isNone(page.next)) return pages
    at = { ...raw, offset: undefined, after: textOf(page.next.value) }
  }
}

/** Returns a list in pages of this size, starting at an offset. */
const cut = <A>(list: ReadonlyArray<A>, lim: number, offset: number): ReadonlyArray<ReadonlyArray<A>> => {
  const rest = list.slice(offset)
  const pages = Array.from({ length: Math.ceil(rest.length / lim) }, (_, n) =>
    rest.slice(n * lim, (n + 1) * lim),
  )
  return pages.length === 0 ? [[]] : pages
}

t.test('B4, C11, H2: programs, challenges and organizations are paged, all languages together', async (t) => {
  const act = await loaded()
  const ofAcme = (raw: domain.RawParameters) => ({ ...raw, id: 'acme' })
  const programs = CONTENT.programs.filter(({ organization }) => organization === 'acme')
  const challenges = CONTENT.challenges.filter(({ organization }) => organization === 'acme')
  for (const { lim, offset } of combinations({ lim: [1, 2, 3, 9], offset: [0, 1, 4, 9] })) {
    const raw = { lim: String(lim), offset: String(offset) }
    t.strictSame(
      await walk(
        (given) => act.listPrograms(user, read(domain.ListPrograms, ofAcme(given))),
        raw,
        domain.encodeTextCursor,
      ),
      cut(programs, lim, offset),
      `programs ${lim} ${offset}`,
    )
    t.strictSame(
      await walk(
        (given) => act.listChallenges(user, read(domain.ListChallenges, ofAcme(given))),
        raw,
        domain.encodeChallengeCursor,
      ),
      cut(challenges, lim, offset),
      `challenges ${lim} ${offset}`,
    )
    const organizations = await walk(
      (given) => act.listOrganizations(user, read(domain.ListOrganizations, given)),
      raw,
      String,
    )
    t.strictSame(
      organizations.map((page) => page.map(({ id }) => String(id))),
      cut(['acme', 'zenith'], lim, offset),
      `organizations ${lim} ${offset}`,
    )
  }
  t.equal((await all(act.listOrganizations(user, { offset: 1 }))).length, 2, 'offset without lim is ignored')
  for (const offset of ['1', 'x', '-1']) {
    const raw = ofAcme({ offset })
    t.equal((await all(act.listPrograms(user, read(domain.ListPrograms, raw)))).length, programs.length)
    t.equal((await all(act.listChallenges(user, read(domain.ListChallenges, raw)))).length, challenges.length)
  }
})

t.test('H2: an organization can be requested by id, combined with every other filter', async (t) => {
  const act = await loaded()
  for (const raw of combinations({ id: IDS, name: ['', 'ACME', 'x'], joined: ['', '2016', '2018'] })) {
    const found = await all(act.listOrganizations(user, read(domain.ListOrganizations, raw)))
    const expected = CONTENT.organizations.filter(
      ({ id, name, since }) =>
        id === raw.id &&
        name.toUpperCase().includes(raw.name.toUpperCase()) &&
        (raw.joined === '' || String(since) === raw.joined),
    )
    t.same(
      found.map(({ id }) => id),
      expected.map(({ id }) => id),
      JSON.stringify(raw),
    )
  }
})

t.test('H3: sectors can be listed all together, by id, or by organization', async (t) => {
  const act = await loaded()
  const ids = async (list: TE.TaskEither<unknown, domain.ResultSet<domain.Sector<unknown>, unknown>>) =>
    (await all(list)).map(({ id }) => String(id))
  const sectors = (raw: domain.RawParameters) => ids(act.listSectors(user, read(domain.ListSectors, raw)))
  t.same(await sectors({}), ['arts', 'health', 'water'])
  t.same(await sectors({ sectorId: '' }), ['arts', 'health', 'water'], 'B2: an empty one is absent')
  t.same(await sectors({ sectorId: 'health' }), ['health'])
  const of = (id: string) =>
    ids(act.listOrganizationSectors(user, read(domain.ListOrganizationSectors, { id })))
  t.same(await Promise.all(IDS.map(of)), [['health', 'water'], [], []])
})

t.test('H3: the datasets of an organization can be listed for all years or for one', async (t) => {
  const act = await loaded()
  const years = async (raw: domain.RawParameters) =>
    (await all(act.listDatasets(user, read(domain.ListDatasets, raw)))).map(({ year }) => year)
  t.same(await years({ id: 'acme' }), [2015, 2017])
  t.same(await years({ id: 'acme', year: '2017' }), [2017])
  t.same(await years({ id: 'acme', year: '2016' }), [])
  t.same(await years({ id: 'zenith' }), [2016])
  const { ports, act: another } = newFixture()
  await done(ports.portfolio.replace({ ...CONTENT, datasets: CONTENT.datasets.toReversed() }))
  const id = 'acme' as domain.OrganizationId
  t.same(
    (await all(another.listDatasets(user, { id }))).map(({ year }) => year),
    [2015, 2017],
    'in any order of loading',
  )
})

t.test('an unavailable store is reported as such', async (t) => {
  const down = () => TE.left(domain.unavailable('down'))
  const { act } = newFixture({}, ({ portfolio }) => ({ portfolio: { ...portfolio, organizations: down } }))
  t.equal(await failure(act.listOrganizations(user, {})), 'Unavailable')
})

t.test('the check finds texts of the portfolio that are missing in one language', async (t) => {
  const act = await loaded()
  t.strictSame(await done(act.checkTexts()), domain.textFindings(CONTENT))
})

/** Texts of 65,536 characters with a highlight that takes V8's own search 0.2 s each. */
const HOSTILE = {
  text: `${'a'.repeat(65_535)}b` as domain.PortfolioText,
  highlight: O.some(`${'a'.repeat(16_384)}b${'a'.repeat(16_384)}` as domain.PortfolioText),
}

t.test(
  'H4, I6: hostile highlights of a whole portfolio are looked for in pieces, and a thousand are named',
  async (t) => {
    let turns = 0
    const { ports } = newFixture({}, ({ timer }) => ({
      timer: {
        wait: (milliseconds) => {
          turns += 1
          return timer.wait(milliseconds)
        },
      },
    }))
    const { portfolio } = domain.createAlmoner(ports)
    const [challenge] = CONTENT.challenges
    if (challenge === undefined) throw new Error('the samples have one')
    const challenges = Array.from({ length: 2000 }, (_, n) => ({
      ...challenge,
      ...(n < 400 ? HOSTILE : {}),
      id: n as domain.ChallengeId,
    }))
    await done(ports.portfolio.replace({ ...CONTENT, challenges }))
    const expected = 400 + 2000
    const { findings, count } = await done(portfolio.textFindings(manager, {}))
    t.equal(findings.length, 1000)
    t.ok(count > expected, `${count} findings`)
    // Four texts fill a piece.
    t.ok(turns > 400 / 5, `${turns} turns of the event loop`)
    const ofOne = await done(portfolio.textFindings(manager, { organizationId: challenge.organization }))
    t.ok(ofOne.count >= expected)
    t.ok(ofOne.findings.every(({ finding }) => finding.id === challenge.organization))
  },
)
