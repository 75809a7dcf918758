import { done, failure, samplePortfolio } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { type Fixture, newFixture } from './fixtures/fixture.ts'

type Row = Readonly<Record<string, unknown>>

const organization = (id: string, over: Row = {}): Row => ({
  id,
  name: `Organization ${id}`,
  since: 2016,
  founded: 1999,
  sectors: 'water',
  logo: `${id}.png`,
  visual: 'visual.png',
  ...over,
})

const SECTORS = [{ sectorId: 'water', en: 'Water', logo: 'water.png' }]

/** Empty tables of all that belongs to organizations. */
const NO_TEXTS = { introductions: [], summaries: [], programs: [], challenges: [], datasets: [] }

const source = (tables: Readonly<Record<string, ReadonlyArray<unknown>>> = {}): domain.PortfolioSource => ({
  name: 'Portfolio',
  tables: { sectors: SECTORS, organizations: [organization('acme')], ...NO_TEXTS, ...tables },
  unread: [],
})

/** Files whose bytes are their names, except those in `over`; undefined for a missing file. */
const reading =
  (over: Readonly<Record<string, string | undefined>> = {}): domain.ReadImageFile =>
  (kind, file) => {
    const content = Object.hasOwn(over, file) ? over[file] : `${kind}/${file}`
    return content === undefined
      ? TE.left(domain.fileRefused(`names no file in ${kind}/`))
      : TE.right(new TextEncoder().encode(content))
  }

const material = (
  from: domain.PortfolioSource = source(),
  read: domain.ReadImageFile = reading(),
): domain.PortfolioMaterial => ({
  draft: domain.draftOf(from, (text) => text),
  read,
  report: () => undefined,
})

const everything = async (fixture: Fixture) => [
  await done(fixture.ports.portfolio.content()),
  fixture.portfolioFiles(),
]

/** Returns a message without what would be right. */
const reasonOf = (message: string): string => message.split(': ')[0] ?? message

const faultsOf = async (from: domain.PortfolioSource, read?: domain.ReadImageFile) => {
  const refused = await newFixture().act.planPortfolio(material(from, read))()
  return E.isLeft(refused) && refused.left._tag === 'PortfolioRefused'
    ? refused.left.faults.map(
        ({ table, row, field, message }) => `${table ?? ''}[${row ?? ''}] ${field} ${reasonOf(message)}`,
      )
    : []
}

t.test('H1: a load stores the images, replaces all content, and reports the changes', async (t) => {
  const fixture = newFixture()
  const plan = await done(fixture.act.loadPortfolio(material()))
  t.match(plan.changes, { sectors: { added: 1 }, organizations: { added: 1, removed: 0 } })
  const content = await done(fixture.ports.portfolio.content())
  t.match(content, { name: 'Portfolio', organizations: [{ id: 'acme', sectors: ['water'] }] })
  t.strictSame(fixture.portfolioFiles(), domain.storedImagesOf(content).map(domain.portfolioImagePath).sort())
  t.equal(fixture.portfolioFiles().length, 3)
})

t.test('H1: a dry run changes nothing', async (t) => {
  const fixture = newFixture()
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  const before = await everything(fixture)
  const plan = await done(fixture.act.planPortfolio(material()))
  t.match(plan.changes, {
    organizations: { added: 0, changed: 1, removed: 1 },
    sectors: { removed: 2, changed: 1 },
  })
  t.strictSame(await everything(fixture), before)
})

t.test('H1: all rows and images are validated, and every error is reported at once', async (t) => {
  const organizations = [
    organization('acme', { logo: 'gone.png' }),
    organization('bad', { since: 'x', visual: 'gone.png' }),
  ]
  t.strictSame(
    await faultsOf(
      source({ organizations, summaries: [{ id: 'bad', lang: 'en', text: 'x' }, 5, null, []] }),
      reading({ 'gone.png': undefined }),
    ),
    [
      'organizations[1] since must be a whole number from 1 to 9999',
      'summaries[1]  must be an object with the columns of the table',
      'summaries[2]  must be an object with the columns of the table',
      'summaries[3]  must be an object with the columns of the table',
      'organizations[0] logo names no file in logo/',
      'organizations[1] visual names no file in visual/',
    ],
  )
  t.strictSame(await faultsOf({ name: ' ', tables: {}, unread: [] }), ['[] name is required'])
  t.strictSame(await faultsOf(source(), reading({ 'acme.png': '' })), [
    'organizations[0] logo does not decode whole',
  ])
})

t.test('H1: a reference to a bad row is not an error, a reference to a missing row is', async (t) => {
  const organizations = [organization('acme', { founded: 'long ago' })]
  t.strictSame(
    await faultsOf(
      source({
        organizations,
        introductions: [
          { id: 'acme', lang: 'en', text: 'x' },
          { id: 'other', lang: 'en', text: 'x' },
        ],
      }),
    ),
    [
      'organizations[0] founded must be a whole number from 1 to 9999',
      'introductions[1] id is no organization of this portfolio',
    ],
  )
})

t.test('H1: keys are compared wherever they can be read, also in bad rows', async (t) => {
  const challenge = { organization: 'acme', id: 1, lang: 'en', text: 'x' }
  const dataset = {
    id: 'acme',
    year: 2016,
    beneficiaries: 1,
    staffHeadcount: 1,
    budget: 1,
    budgetCurrency: 'EUR',
  }
  const faults = await faultsOf(
    source({
      sectors: [{ sectorId: 'water', logo: 'water.png' }, ...SECTORS],
      organizations: [organization('acme', { since: 'x' }), organization('acme')],
      challenges: [{ ...challenge, text: '' }, challenge],
      datasets: [
        { ...dataset, budget: -1 },
        { ...dataset, year: '02016' },
      ],
    }),
  )
  t.strictSame(
    faults.filter((fault) => fault.includes('repeats')),
    [
      'sectors[1] sectorId repeats water',
      'organizations[1] id repeats acme',
      'challenges[1] lang repeats challenge 1 in en',
      'datasets[1] year repeats 2016 of acme',
    ],
  )
})

t.test('H1: rows with an incomplete key count neither as repeated nor as shared', async (t) => {
  const challenges = [
    { organization: 'acme', lang: 'en' },
    { organization: 'other', lang: 'en' },
    { organization: 'acme', id: 1, lang: 'de' },
    { organization: 'acme', id: 1 },
    { id: 1, lang: 'en' },
    { id: 2, lang: 'en' },
    { organization: 'acme', id: 2 },
  ]
  const datasets = [{ id: 'acme' }, { id: 'acme', year: 'x' }, { year: 2016 }, { year: 2016 }]
  const organizations = [organization('acme'), organization('other')]
  const faults = await faultsOf(source({ organizations, challenges, datasets }))
  t.strictSame(
    faults.filter((fault) => /repeats|belongs/.test(fault)),
    [],
  )
  t.ok(faults.includes('challenges[0] id is required'))
})

t.test('H1: the references of a bad row are checked too', async (t) => {
  const organizations = [
    organization('acme', { since: 'x', sectors: 'nosec' }),
    organization('other', { sectors: ['water', 'nope', 'water', 'no/id', 'nope'] }),
  ]
  const texts = [{ id: 'nobody', lang: 'de', text: 'x' }]
  const challenges = [
    { organization: 'acme', id: 1, lang: 'en' },
    { organization: 'other', id: 1, lang: 'de', text: 'x' },
    { organization: 'nobody', id: 'x', lang: 'en', text: 'x' },
  ]
  t.strictSame(
    await faultsOf(source({ organizations, introductions: texts, summaries: texts, challenges })),
    [
      'organizations[0] since must be a whole number from 1 to 9999',
      'organizations[1] sectors must be identifiers of sectors, with spaces between them',
      'introductions[0] lang must be en or fr',
      'summaries[0] lang must be en or fr',
      'challenges[0] text is required',
      'challenges[1] lang must be en or fr',
      'challenges[2] id must be a whole number from 0 to 9007199254740991',
      'organizations[0] sectors names the unknown sector nosec',
      'organizations[1] sectors names the unknown sector nope',
      'introductions[0] id is no organization of this portfolio',
      'summaries[0] id is no organization of this portfolio',
      'challenges[2] organization is no organization of this portfolio',
      'challenges[1] id belongs to the organization acme already',
    ],
  )
  t.strictSame(
    await faultsOf(
      source({ organizations: [organization('acme', { sectors: ['water', 'no', 'water', 'no'] })] }),
    ),
    [
      'organizations[0] sectors names water and no twice',
      'organizations[0] sectors names the unknown sector no',
    ],
  )
})

t.test('H1: references to an incomplete table are not checked; the table is rejected', async (t) => {
  const text = { id: 'nobody', lang: 'en', text: 'x' }
  const of = (over: Partial<domain.PortfolioSource>) =>
    faultsOf({ ...source({ introductions: [text, { ...text, lang: 'de' }] }), ...over })
  const { tables } = source({ introductions: [text] })
  t.strictSame(await of({ unread: ['organizations'], tables }), ['organizations[]  could not be read whole'])
  t.strictSame(await of({ unread: ['sectors'], tables: { ...tables, sectors: [] } }), [
    'sectors[]  could not be read whole',
    'introductions[0] id is no organization of this portfolio',
  ])
  t.strictSame(
    await of({ tables: { ...tables, organizations: undefined } as never }),
    ['introductions[0] id is no organization of this portfolio'],
    'an absent table stays as it is: here empty',
  )
  t.strictSame(
    await of({ tables: { ...tables, organizations: [{ ...organization('acme'), id: undefined }] } }),
    ['organizations[0] id is required'],
    'if no row has the id, the column is missing',
  )
  t.strictSame(await of({ tables: { ...tables, organizations: [] } }), [
    'introductions[0] id is no organization of this portfolio',
  ])
})

t.test('H1: a value that is not a single value is reported as such', async (t) => {
  const odd = { toString: 1, valueOf: 1 }
  t.strictSame(
    await faultsOf({
      ...source({ organizations: [organization('acme', { id: odd, name: ['Acme'], logo: [] })] }),
      name: ['Portfolio'],
    }),
    [
      '[] name must be a single value',
      'organizations[0] id must be a single value',
      'organizations[0] name must be a single value',
      'organizations[0] logo must be a single value',
    ],
  )
})

t.test('H1: a challenge id belongs to one organization and occurs once per language', async (t) => {
  const challenge = (organizationId: string, id: number, lang: string) => ({
    organization: organizationId,
    id,
    lang,
    text: 'x',
  })
  const organizations = [organization('acme'), organization('other')]
  const challenges = [
    challenge('acme', 1, 'en'),
    challenge('acme', 1, 'fr'),
    challenge('acme', 1, 'FR'),
    challenge('other', 1, 'en'),
    challenge('other', 2, 'en'),
  ]
  t.strictSame(await faultsOf(source({ organizations, challenges })), [
    'challenges[2] lang repeats challenge 1 in fr',
    'challenges[3] lang repeats challenge 1 in en',
    'challenges[3] id belongs to the organization acme already',
  ])
})

t.test('H1: several introductions and summaries of one language keep their order', async (t) => {
  const fixture = newFixture()
  const introductions = ['one', 'two', 'three'].map((text, n) => ({
    id: 'acme',
    lang: n === 1 ? 'fr' : 'en',
    text,
  }))
  await done(fixture.act.loadPortfolio(material(source({ introductions }))))
  t.match((await done(fixture.ports.portfolio.content())).introductions, [
    { lang: 'en', rank: 0, text: 'one' },
    { lang: 'en', rank: 1, text: 'three' },
    { lang: 'fr', rank: 0, text: 'two' },
  ])
})

const ANOTHER_LOGO = material(source(), reading({ 'acme.png': 'another logo' }))

t.test('H1: images are stored before the rows that reference them, and none is removed', async (t) => {
  const order: Array<string> = []
  const noted =
    <L, A>(what: string, task: TE.TaskEither<L, A>): TE.TaskEither<L, A> =>
    async () => {
      const result = await task()
      order.push(what)
      return result
    }
  const fixture = newFixture({}, ({ portfolio, portfolioImages }) => ({
    portfolio: { ...portfolio, replace: (content) => noted('replace', portfolio.replace(content)) },
    portfolioImages: {
      ...portfolioImages,
      put: (image, bytes) => noted('put', portfolioImages.put(image, bytes)),
      remove: (image) => noted('remove', portfolioImages.remove(image)),
    },
  }))
  for (const load of [material(), ANOTHER_LOGO]) {
    await done(fixture.act.loadPortfolio(load))
    t.strictSame(order.splice(0), ['put', 'put', 'put', 'replace'])
  }
})

/** The paths of the images that the portfolio references. */
const shownIn = async ({ ports }: Fixture): Promise<ReadonlyArray<string>> =>
  (await done(ports.portfolio.images())).map(domain.portfolioImagePath).sort()

t.test('H1: of two concurrent loads the last one wins, and all its images are stored', async (t) => {
  // The second load runs completely just before or just after the rows of the first are replaced.
  for (const when of ['before', 'after']) {
    let meanwhile = async () => {}
    const fixture = newFixture({}, ({ portfolio }) => ({
      portfolio: {
        ...portfolio,
        replace: (content) => async () => {
          const next = meanwhile
          meanwhile = async () => {}
          if (when === 'before') await next()
          const replaced = await portfolio.replace(content)()
          if (when === 'after') await next()
          return replaced
        },
      },
    }))
    await done(fixture.act.loadPortfolio(material()))
    fixture.clock.advance(61 * domain.MINUTE)
    meanwhile = async () => {
      await done(fixture.act.loadPortfolio(material()))
    }
    await done(fixture.act.loadPortfolio(ANOTHER_LOGO))
    for (const minutes of [0, 61]) {
      fixture.clock.advance(minutes * domain.MINUTE)
      await done(fixture.act.sweepPortfolioImages())
      const files = fixture.portfolioFiles()
      for (const path of await shownIn(fixture)) t.ok(files.includes(path), `${when}, ${minutes}: ${path}`)
    }
    t.strictSame(fixture.portfolioFiles(), await shownIn(fixture), 'and no others after an hour')
  }
})

/** A fixture with a loaded portfolio, in which one method of one port then fails. */
const failingFixture = async (port: 'portfolio' | 'portfolioImages', method: string) => {
  let broken = false
  const outage = domain.unavailable(new Error('the disk is full'))
  const fixture = newFixture({}, (ports) => ({
    [port]: new Proxy(ports[port], {
      get: (target, name) => (broken && name === method ? () => TE.left(outage) : Reflect.get(target, name)),
    }),
  }))
  await done(fixture.act.loadPortfolio(material()))
  const before = await everything(fixture)
  broken = true
  return { fixture, before }
}

const OTHER = material(source({ organizations: [organization('new')] }))

t.test('H1: if an image cannot be stored, nothing changes', async (t) => {
  const { fixture, before } = await failingFixture('portfolioImages', 'put')
  t.equal(await failure(fixture.act.loadPortfolio(OTHER)), 'Unavailable')
  t.strictSame(await everything(fixture), before)
})

t.test('H1: if a file cannot be read any more, nothing changes, and no row is blamed', async (t) => {
  const fixture = newFixture()
  let reads = 0
  const read: domain.ReadImageFile = (kind, file) => {
    reads += 1
    return reads > 3 ? TE.left(domain.unavailable('the disk is gone')) : reading()(kind, file)
  }
  t.equal(await failure(fixture.act.loadPortfolio(material(source(), read))), 'Unavailable')
  t.strictSame(await everything(fixture), [domain.EMPTY_PORTFOLIO, []])
})

t.test('H1: if the rows cannot be replaced, the old portfolio and its images stay', async (t) => {
  const { fixture, before } = await failingFixture('portfolio', 'replace')
  t.equal(await failure(fixture.act.loadPortfolio(OTHER)), 'Unavailable')
  const [content, files] = await everything(fixture)
  t.strictSame(content, before[0])
  for (const file of before[1] as ReadonlyArray<string>) t.ok((files as ReadonlyArray<string>).includes(file))
  t.equal((files as ReadonlyArray<string>).length, 4, 'and one unreferenced image')
  fixture.clock.advance(61 * domain.MINUTE)
  t.equal(await done(fixture.act.sweepPortfolioImages()), 1)
  t.strictSame(await everything(fixture), before, 'removed by the sweep')
})

t.test('H1: a file that changes during the load stops it', async (t) => {
  const fixture = newFixture()
  let reads = 0
  const read: domain.ReadImageFile = (kind, file) => {
    reads += 1
    return TE.right(new TextEncoder().encode(`${kind}/${file}${reads > 3 ? reads : ''}`))
  }
  const refused = await fixture.act.loadPortfolio(material(source(), read))()
  t.match(refused, {
    left: { _tag: 'PortfolioRefused', faults: [{ message: 'has changed while it was read' }] },
  })
  t.strictSame(await done(fixture.ports.portfolio.content()), domain.EMPTY_PORTFOLIO)
})

t.test('H1: an image that a sweep deletes during the load is stored again', async (t) => {
  const fixture = newFixture({}, ({ portfolio, portfolioImages }) => ({
    portfolio: {
      ...portfolio,
      replace: (content) => async () => {
        for (const image of domain.storedImagesOf(content).slice(0, 1))
          await done(portfolioImages.remove(image))
        return portfolio.replace(content)()
      },
    },
  }))
  await done(fixture.act.loadPortfolio(material()))
  t.equal(fixture.portfolioFiles().length, 3)
})

t.test('H1, D5: a sweep that is stopped starts no further batch', async (t) => {
  const removed: Array<number> = []
  const files = async function* <A>(make: (n: number) => A) {
    for (const n of [1, 2, 3]) yield [make(n)]
  }
  const storedAt = domain.instant(0)
  const removes = (n: string) => async () => E.right(void removed.push(Number(n)))
  const fixture = newFixture({}, ({ portfolioImages, mediaStore }) => ({
    portfolioImages: {
      ...portfolioImages,
      files: () =>
        files((n) => ({
          image: { kind: 'logo' as const, name: `${n}` as domain.PortfolioImageName },
          storedAt,
        })),
      remove: ({ name }) => removes(name),
    },
    mediaStore: {
      ...mediaStore,
      files: () => files((n) => ({ name: `${n}` as domain.MediaName, storedAt })),
      remove: removes,
    },
  }))
  await done(fixture.act.adoptStorage())
  const sweepUntil = (most: number) =>
    done(
      fixture.act.sweepImages({
        isConfirmed: true,
        signal: {
          get aborted() {
            return removed.length >= most
          },
        },
      }),
    )
  t.strictSame(await sweepUntil(2), { uploads: 2, portfolio: 0 })
  t.strictSame(await sweepUntil(2), { uploads: 0, portfolio: 0 })
  t.strictSame(await sweepUntil(6), { uploads: 3, portfolio: 1 })
  t.strictSame(removed, [1, 2, 1, 2, 3, 1])
})

t.test('H1: the sweep keeps referenced images and recent ones', async (t) => {
  const fixture = newFixture()
  await done(fixture.act.loadPortfolio(material()))
  const shown = fixture.portfolioFiles()
  fixture.clock.advance(30 * domain.MINUTE)
  const stray: domain.PortfolioImage = {
    kind: 'logo',
    name: 'stray.0123456789abcdef.svg' as domain.PortfolioImageName,
  }
  await done(fixture.ports.portfolioImages.put(stray, new Uint8Array([1])))
  fixture.clock.advance(59 * domain.MINUTE)
  t.equal(await done(fixture.act.sweepPortfolioImages()), 0)
  fixture.clock.advance(domain.MINUTE)
  t.equal(await done(fixture.act.sweepPortfolioImages()), 1)
  t.strictSame(fixture.portfolioFiles(), shown)
})
