import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { done, failure, samplePortfolio } from '../contracts/index.ts'
import * as domain from '../src/index.ts'
import { newWorld, type World } from './fixtures/world.ts'

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

const source = (tables: Readonly<Record<string, ReadonlyArray<unknown>>> = {}): domain.PortfolioSource => ({
  name: 'Portfolio',
  tables: { sectors: SECTORS, organizations: [organization('acme')], ...tables },
})

/** Files whose bytes are their names, but for those that `over` gives; undefined for one that is not there. */
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
): domain.PortfolioMaterial => ({ source: from, read, report: () => undefined })

const everything = async (world: World) => [
  await done(world.ports.portfolio.content()),
  world.portfolioFiles(),
]

const faultsOf = async (from: domain.PortfolioSource, read?: domain.ReadImageFile) => {
  const refused = await newWorld().act.planPortfolio(material(from, read))()
  return E.isLeft(refused) && refused.left._tag === 'PortfolioRefused'
    ? refused.left.faults.map(
        ({ table, row, field, message }) => `${table ?? ''}[${row ?? ''}] ${field} ${message}`,
      )
    : []
}

t.test('H1: a load stores the images, replaces everything, and tells what has changed', async (t) => {
  const world = newWorld()
  const plan = await done(world.act.loadPortfolio(material()))
  t.match(plan.changes, { sectors: { added: 1 }, organizations: { added: 1, removed: 0 } })
  const content = await done(world.ports.portfolio.content())
  t.match(content, { name: 'Portfolio', organizations: [{ id: 'acme', sectors: ['water'] }] })
  t.strictSame(world.portfolioFiles(), domain.storedImagesOf(content).map(domain.portfolioImagePath).sort())
  t.equal(world.portfolioFiles().length, 3)
})

t.test('H1: planning changes nothing', async (t) => {
  const world = newWorld()
  await done(world.ports.portfolio.replace(samplePortfolio()))
  const before = await everything(world)
  const plan = await done(world.act.planPortfolio(material()))
  t.match(plan.changes, {
    organizations: { added: 0, changed: 1, removed: 1 },
    sectors: { removed: 2, changed: 1 },
  })
  t.strictSame(await everything(world), before)
})

t.test('H1: rows and images are checked whole, and every fault is told at once', async (t) => {
  const organizations = [
    organization('acme', { logo: 'gone.png' }),
    organization('bad', { since: 'x', visual: 'gone.png' }),
  ]
  t.strictSame(
    await faultsOf(
      source({ organizations, summaries: [{ id: 'bad', lang: 'en', text: 'x' }, 5] }),
      reading({ 'gone.png': undefined }),
    ),
    [
      'organizations[1] since must be a whole number from 1 to 9999',
      'summaries[1]  must be an object',
      'organizations[0] logo names no file in logo/',
      'organizations[1] visual names no file in visual/',
    ],
  )
  t.strictSame(await faultsOf({ name: ' ', tables: {} }), [
    '[] name is required',
    'sectors[]  is required',
    'organizations[]  is required',
  ])
  t.strictSame(await faultsOf(source(), reading({ 'acme.png': '' })), [
    'organizations[0] logo does not decode whole',
  ])
})

t.test('H1: what refers to a bad row is no fault of its own; what refers to none is', async (t) => {
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

t.test('H1: a challenge’s id belongs to one organization, and is said once in a language', async (t) => {
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

t.test('H1: several introductions and summaries of one language are kept in their order', async (t) => {
  const world = newWorld()
  const introductions = ['one', 'two', 'three'].map((text, n) => ({
    id: 'acme',
    lang: n === 1 ? 'fr' : 'en',
    text,
  }))
  await done(world.act.loadPortfolio(material(source({ introductions }))))
  t.match((await done(world.ports.portfolio.content())).introductions, [
    { lang: 'en', rank: 0, text: 'one' },
    { lang: 'en', rank: 1, text: 'three' },
    { lang: 'fr', rank: 0, text: 'two' },
  ])
})

t.test(
  'H1: images are stored before the rows that show them, and removed after those that did',
  async (t) => {
    const order: Array<string> = []
    const noted =
      <L, A>(what: string, task: TE.TaskEither<L, A>): TE.TaskEither<L, A> =>
      async () => {
        const result = await task()
        order.push(what)
        return result
      }
    const world = newWorld({}, ({ portfolio, portfolioImages }) => ({
      portfolio: { ...portfolio, replace: (content) => noted('replace', portfolio.replace(content)) },
      portfolioImages: {
        ...portfolioImages,
        put: (image, bytes) => noted('put', portfolioImages.put(image, bytes)),
        remove: (image) => noted('remove', portfolioImages.remove(image)),
      },
    }))
    await done(world.act.loadPortfolio(material()))
    t.strictSame(order.splice(0), ['put', 'put', 'put', 'replace'])
    await done(world.act.loadPortfolio(material(source(), reading({ 'acme.png': 'another logo' }))))
    t.strictSame(order, ['put', 'put', 'put', 'replace', 'remove'])
  },
)

/** A world with a portfolio in it, in which one method of one port fails from then on. */
const failingWorld = async (port: 'portfolio' | 'portfolioImages', method: string) => {
  let broken = false
  const outage = domain.unavailable(new Error('the disk is full'))
  const world = newWorld({}, (ports) => ({
    [port]: new Proxy(ports[port], {
      get: (target, name) => (broken && name === method ? () => TE.left(outage) : Reflect.get(target, name)),
    }),
  }))
  await done(world.act.loadPortfolio(material()))
  const before = await everything(world)
  broken = true
  return { world, before }
}

const OTHER = material(source({ organizations: [organization('new')] }))

t.test('H1: when an image cannot be stored, nothing changes', async (t) => {
  const { world, before } = await failingWorld('portfolioImages', 'put')
  t.equal(await failure(world.act.loadPortfolio(OTHER)), 'Unavailable')
  t.strictSame(await everything(world), before)
})

t.test('H1: when the rows cannot be replaced, the old portfolio and its images stay', async (t) => {
  const { world, before } = await failingWorld('portfolio', 'replace')
  t.equal(await failure(world.act.loadPortfolio(OTHER)), 'Unavailable')
  const [content, files] = await everything(world)
  t.strictSame(content, before[0])
  for (const file of before[1] as ReadonlyArray<string>) t.ok((files as ReadonlyArray<string>).includes(file))
  t.equal((files as ReadonlyArray<string>).length, 4, 'and one image that nothing shows')
  world.clock.advance(61 * domain.MINUTE)
  t.equal(await done(world.act.sweepPortfolioImages()), 1)
  t.strictSame(await everything(world), before, 'which the sweep removes')
})

t.test('H1: an image that will not go does not spoil a load that is done', async (t) => {
  const { world } = await failingWorld('portfolioImages', 'remove')
  t.equal(await failure(world.act.loadPortfolio(OTHER)), 'none')
  t.match(await done(world.ports.portfolio.content()), { organizations: [{ id: 'new' }] })
})

t.test('H1: a file that changes while it is read stops the load', async (t) => {
  const world = newWorld()
  let reads = 0
  const read: domain.ReadImageFile = (kind, file) => {
    reads += 1
    return TE.right(new TextEncoder().encode(`${kind}/${file}${reads > 3 ? reads : ''}`))
  }
  const refused = await world.act.loadPortfolio(material(source(), read))()
  t.match(refused, {
    left: { _tag: 'PortfolioRefused', faults: [{ message: 'has changed while it was read' }] },
  })
  t.strictSame(await done(world.ports.portfolio.content()), domain.EMPTY_PORTFOLIO)
})

t.test('H1: an image that a sweep took meanwhile is stored again', async (t) => {
  const world = newWorld({}, ({ portfolio, portfolioImages }) => ({
    portfolio: {
      ...portfolio,
      replace: (content) => async () => {
        for (const image of domain.storedImagesOf(content).slice(0, 1))
          await done(portfolioImages.remove(image))
        return portfolio.replace(content)()
      },
    },
  }))
  await done(world.act.loadPortfolio(material()))
  t.equal(world.portfolioFiles().length, 3)
})

t.test('H1: the sweep leaves what the portfolio shows, and what is young', async (t) => {
  const world = newWorld()
  await done(world.act.loadPortfolio(material()))
  const shown = world.portfolioFiles()
  world.clock.advance(30 * domain.MINUTE)
  const stray: domain.PortfolioImage = {
    kind: 'logo',
    name: 'stray.0123456789abcdef.svg' as domain.PortfolioImageName,
  }
  await done(world.ports.portfolioImages.put(stray, new Uint8Array([1])))
  world.clock.advance(59 * domain.MINUTE)
  t.equal(await done(world.act.sweepPortfolioImages()), 0)
  world.clock.advance(domain.MINUTE)
  t.equal(await done(world.act.sweepPortfolioImages()), 1)
  t.strictSame(world.portfolioFiles(), shown)
})
