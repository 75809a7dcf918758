import { done } from '@almoner/testkit/contracts'
import { type MemoryMediaStore, memoryStore } from '@almoner/testkit/memory'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { type Fixture, IMAGE, libraryDraft, libraryImage, newFixture } from './fixtures/fixture.ts'

const NO_IMAGES = { files: 0, orphans: 0 }
const refusalOf = (result: E.Either<{ readonly _tag: string }, unknown>) =>
  E.isLeft(result) && 'refusal' in result.left ? result.left.refusal : undefined

t.test('D6: a sweep of exactly a fifth of at least 50 files runs; one file more stops it', async (t) => {
  const images = fc
    .nat({ max: 100_000 })
    .chain((files) => fc.record({ files: fc.constant(files), orphans: fc.nat({ max: files }) }))
  fc.assert(
    fc.property(images, images, (uploads, portfolio) => {
      const isTooMany = [uploads, portfolio].some(
        ({ files, orphans }) => files >= 50 && orphans / files > 0.2,
      )
      const openCircuit = domain.sweepRefusal({ uploads, portfolio, referencesAny: true })
      return O.isSome(openCircuit) === isTooMany
    }),
  )
  const stops = (files: number, orphans: number) =>
    O.isSome(domain.sweepRefusal({ uploads: { files, orphans }, portfolio: NO_IMAGES, referencesAny: true }))
  t.strictSame(
    [stops(50, 10), stops(50, 11), stops(49, 49), stops(100_000, 20_000)],
    [false, true, false, false],
  )
})

t.test('D6: portfolio images are counted separately', async (t) => {
  const counts = {
    uploads: { files: 1000, orphans: 0 },
    portfolio: { files: 50, orphans: 11 },
    referencesAny: true,
  }
  t.strictSame(domain.sweepRefusal(counts), O.some('too-many-orphans'))
})

t.test('D6: nothing is deleted for a database that references no image', async (t) => {
  const one = { files: 1, orphans: 1 }
  for (const counts of [
    { uploads: one, portfolio: NO_IMAGES },
    { uploads: NO_IMAGES, portfolio: one },
  ])
    t.strictSame(domain.sweepRefusal({ ...counts, referencesAny: false }), O.some('no-references'))
  t.strictSame(
    domain.sweepRefusal({ uploads: NO_IMAGES, portfolio: NO_IMAGES, referencesAny: false }),
    O.none,
  )
})

const orphan = (n: number) => `orphan-of-a-crash-${n.toString().padStart(4, '0')}.png` as domain.MediaName

const putOrphans = async ({ ports }: Fixture, count: number) => {
  for (let n = 0; n < count; n += 1)
    await done(ports.mediaStore.put(orphan(n), { type: 'image/png', bytes: IMAGE }))
}

const addCover = async (fixture: Fixture) => libraryImage(fixture, (await libraryDraft(fixture)).id)

/** The same storage under another database. */
const withDatabase = (fixture: Fixture, store = memoryStore()): domain.SweepPorts => ({
  ...fixture.ports,
  ...store,
})

t.test('D6: the first use gives database and storage the same identity', async (t) => {
  const fixture = newFixture()
  t.strictSame(await done(fixture.act.sweepImages()), { uploads: 0, portfolio: 0 })
  const id = await done(fixture.ports.storageIdentity.find())
  t.ok(O.isSome(id))
  t.strictSame(await done(fixture.ports.mediaStore.readMarker()), id)
})

t.test('D6: a sweep that would delete nothing does not look at the portfolio', async (t) => {
  const fixture = newFixture()
  await addCover(fixture)
  const images = () => async () => t.fail('it looked')
  const ports = { ...fixture.ports, portfolio: { ...fixture.ports.portfolio, images } }
  t.match(await domain.makeSweepImages(ports as unknown as domain.SweepPorts)()(), { _tag: 'Right' })
})

t.test('D6: an empty database deletes nothing from a storage that belongs to another', async (t) => {
  const fixture = newFixture()
  await addCover(fixture)
  await done(fixture.act.sweepImages())
  fixture.clock.advance(24 * 60 * domain.MINUTE)
  const before = fixture.files()
  for (const isConfirmed of [false, true]) {
    const other = withDatabase(fixture)
    t.equal(refusalOf(await domain.makeSweepImages(other)({ isConfirmed })()), 'other-storage')
    t.strictSame(await done(other.storageIdentity.lastRefusal()), O.some('other-storage'))
  }
  t.strictSame(fixture.files(), before)
  const adopted = withDatabase(fixture)
  await done(domain.makeAdoptStorage(adopted)())
  t.equal(
    refusalOf(await domain.makeSweepImages(adopted)()()),
    'no-references',
    'the safety limits still apply',
  )
  t.strictSame(fixture.files(), before)
})

t.test(
  'D6: adopting is advised only for a storage whose images the database references, or without any',
  async (t) => {
    const codeOf = async (ports: Parameters<typeof domain.checkImages>[0]) =>
      (await done(domain.checkImages(ports))).map(({ code }) => code)
    const fixture = newFixture()
    await done(fixture.ports.mediaStore.writeMarker('of-another' as domain.StorageId))
    t.strictSame(await codeOf(fixture.ports), ['images-other-storage'], 'it holds no images')
    await putOrphans(fixture, 2)
    t.strictSame(await codeOf(fixture.ports), ['images-unknown'])
    t.strictSame(await codeOf(withDatabase(fixture)), ['images-unknown'])
    await addCover(fixture)
    t.strictSame(await codeOf(fixture.ports), ['images-other-storage'])
    t.strictSame(await codeOf(withDatabase(fixture)), ['images-unknown'])
  },
)

t.test('D6: an upgraded database claims a storage if it references an image in it', async (t) => {
  const fixture = newFixture()
  await addCover(fixture)
  await putOrphans(fixture, 2)
  fixture.clock.advance(61 * domain.MINUTE)
  t.strictSame(await done(fixture.act.sweepImages()), { uploads: 2, portfolio: 0 })
})

t.test(
  'D6: a missing marker is a mismatch if the database has an identity and the storage images',
  async (t) => {
    const fixture = newFixture()
    await addCover(fixture)
    await done(fixture.ports.storageIdentity.establish('mine' as domain.StorageId))
    t.equal(refusalOf(await fixture.act.sweepImages()()), 'other-storage')
  },
)

t.test(
  'D6: deleting more than a fifth of the images stops the sweep before it starts; --confirm allows it',
  async (t) => {
    const fixture = newFixture()
    await addCover(fixture)
    await putOrphans(fixture, 60)
    fixture.clock.advance(61 * domain.MINUTE)
    t.equal(refusalOf(await fixture.act.sweepImages()()), 'too-many-orphans')
    t.equal(fixture.files().length, 61)
    t.strictSame(await done(fixture.ports.storageIdentity.lastRefusal()), O.some('too-many-orphans'))
    t.strictSame(await done(fixture.act.sweepImages({ isConfirmed: true })), { uploads: 60, portfolio: 0 })
    t.strictSame(await done(fixture.ports.storageIdentity.lastRefusal()), O.none)
  },
)

t.test('D6, D8: a sweep deletes renditions that a crash left after the end of their image', async (t) => {
  const fixture = newFixture()
  const { mediaStore } = fixture.ports
  await addCover(fixture)
  await done(mediaStore.put(orphan(1), { type: 'image/png', bytes: IMAGE }))
  await done(mediaStore.claimRenditions(orphan(1)))
  await done(mediaStore.remove(orphan(1)))
  const stray = domain.renditionName(orphan(1), 320)
  const held = (name: domain.RenditionName) => (mediaStore as MemoryMediaStore).renditions().has(name)
  await done(mediaStore.putRendition(stray, IMAGE))
  await done(fixture.act.sweepImages())
  t.ok(held(stray), 'while the process may still run')
  fixture.clock.advance(2 * domain.MINUTE)
  t.strictSame(await done(fixture.act.sweepImages()), { uploads: 0, portfolio: 0 }, 'it is not counted')
  t.notOk(held(stray))
})
