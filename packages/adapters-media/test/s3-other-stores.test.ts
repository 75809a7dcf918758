import { buffer } from 'node:stream/consumers'
import { type CheckedImage, type MediaName, renditionsOf } from '@almoner/domain/media'
import { makeSweepImages } from '@almoner/domain/operations'
import { instant } from '@almoner/domain/values'
import { done, renditionClaimsContract } from '@almoner/testkit/contracts'
import { memoryStore, plainSecrets } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { openS3Media } from '../src/s3/index.ts'
import { runner } from './runner.ts'
import { DATES, startOtherStore, timeOf, USUAL, type Ways } from './support/other-stores.ts'
import './support/s3-store.ts'
import { PATIENT } from './support/troubled.ts'

// D10: stores as they are.

const HOUR = 3_600_000
const IMAGE: CheckedImage = {
  type: 'image/png',
  bytes: Buffer.from(Array.from({ length: 500 }, (_, i) => i % 256)),
}
const NAMES = Array.from({ length: 7 }, (_, n) => `sample_media-0000000${n}.png` as MediaName)
const [NAME = '' as MediaName] = NAMES

type End = Pick<Test, 'teardown'>

const open = async (t: End, ways: Partial<Ways> = {}, region: string | undefined = ways.region) => {
  const all = { ...USUAL, ...ways }
  const store = await startOtherStore(all)
  t.teardown(store.stop)
  const place = { bucket: all.bucket, prefix: 'a/b', endpoint: store.endpoint, region }
  return { store, ways: all, opened: await openS3Media(place, PATIENT)() }
}

const openWell = async (t: End, ways: Partial<Ways> = {}) => {
  const { store, opened, ways: all } = await open(t, ways)
  if (E.isLeft(opened)) throw opened.left.cause
  t.teardown(opened.right.close)
  return { store, ways: all, ...opened.right }
}

renditionClaimsContract(runner, async () => {
  const ending: Array<() => unknown> = []
  const end: End = { teardown: (close) => ending.unshift(close as () => unknown) }
  const { mediaStore, imageFiles } = await openWell(end)
  return {
    store: mediaStore,
    clock: { now: () => instant(Date.now()) },
    renditionOf: async (name) => {
      const found = await done(imageFiles.look({ kind: 'rendition', name }))
      return O.isSome(found) ? new Uint8Array(1) : undefined
    },
    close: async () => {
      for (const end of ending) await end()
    },
  }
})

const namesIn = async (files: AsyncIterable<ReadonlyArray<{ readonly name: string }>>) => {
  const names: Array<string> = []
  for await (const batch of files) names.push(...batch.map(({ name }) => name))
  return names
}

/** Does with a store all that the service does. */
const useAll = async (t: Test, ways: Partial<Ways>, said: string): Promise<void> => {
  const ending: Array<() => unknown> = []
  const { store, mediaStore, imageFiles, signedAddress } = await openWell(
    { teardown: (end) => ending.unshift(end as () => unknown) },
    ways,
  )
  for (const name of NAMES) await done(mediaStore.put(name, IMAGE))
  const file = { kind: 'upload', name: NAME } as const
  const stored = { size: IMAGE.bytes.length, storedAt: store.objects.get(`a/b/${NAME}`)?.at }
  t.match(await done(imageFiles.look(file)), O.some(stored), `${said}: look`)
  for (const [part, bytes] of [
    [undefined, IMAGE.bytes],
    [{ first: 10, last: 19 }, IMAGE.bytes.subarray(10, 20)],
    [{ first: 0, last: 0 }, IMAGE.bytes.subarray(0, 1)],
    [{ first: 499, last: 499 }, IMAGE.bytes.subarray(499)],
  ] as const) {
    const opened = await done(imageFiles.open(file, part))
    t.match(opened, O.some(stored), `${said}: open`)
    t.ok(O.isSome(opened) && (await buffer(opened.value.bytes)).equals(Buffer.from(bytes)), `${said}: read`)
  }
  const { status } = await fetch(await done(signedAddress(file, 'GET', 300)))
  t.equal(status, 200, `${said}: signed address`)
  t.strictSame(await namesIn(mediaStore.files()), NAMES, `${said}: list`)
  for (let n = 0; n < 2; n += 1) await done(mediaStore.remove(NAME))
  t.strictSame(await done(imageFiles.look(file)), O.none, `${said}: deleted`)
  t.strictSame(await done(imageFiles.open(file)), O.none, `${said}: deleted`)
  for (const end of ending) await end()
}

/** How the stores of these makers answer, as their documentation has it. */
const STORES: Readonly<Record<string, Partial<Ways>>> = {
  // https://docs.ceph.com/en/latest/radosgw/multitenancy/ and …/radosgw/config-ref/ (rgw_relaxed_s3_bucket_names)
  'Ceph with tenants': { bucket: 'tenant:bucket', region: 'default' },
  'Ceph with relaxed names': { bucket: 'My_Bucket.of-2026', region: 'RegionOne' },
  // The bucket of a URL is the tenant's number, a colon and the name.
  Contabo: { bucket: `${'0a1b2c3d'.repeat(4)}:bucket`, region: 'default' },
  // https://supabase.com/docs/guides/storage/s3/authentication
  Supabase: { path: '/storage/v1/s3', bucket: 'my_bucket', region: 'eu-central-1' },
  MinIO: { region: 'us-east-1', hasDate: true },
  'Google Cloud Storage': { region: 'auto', deletedTwice: 404 },
}

for (const [maker, ways] of Object.entries(STORES))
  t.test(`D10: images are stored, read, listed, signed and deleted in a bucket of ${maker}`, async (t) =>
    useAll(t, ways, maker),
  )

const named = fc.stringMatching(/^[A-Za-z0-9][\w.:$-]{0,60}$/)

const WAYS: fc.Arbitrary<Partial<Ways>> = fc.record({
  path: fc.constantFrom('', '/storage/v1/s3', '/a'),
  bucket: named,
  region: fc.option(fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,20}[A-Za-z0-9])?$/), { nil: undefined }),
  ahead: fc.constantFrom(-3 * HOUR, -20 * 60_000, -6 * 60_000, 0, 6 * 60_000, 20 * 60_000, 3 * HOUR),
  head: fc.record({ length: fc.constantFrom('right', 'zero', 'none'), date: fc.constantFrom(...DATES) }),
  get: fc.record({ length: fc.constantFrom('right', 'none'), date: fc.constantFrom(...DATES.slice(0, 4)) }),
  hasRanges: fc.boolean(),
  page: fc.integer({ min: 1, max: 8 }),
  saysTruncated: fc.boolean(),
  token: fc.constantFrom(String, (next: number) => `1/${'opaque+'.repeat(20)}=${next}`),
  deletedTwice: fc.constantFrom(204, 200, 404),
})

t.test('D10: however a store answers within the protocol, the images are the same', async (t) => {
  await fc.assert(
    fc.asyncProperty(WAYS, async (ways) => {
      // A bucket of this form names an access point of AWS.
      fc.pre(!/^arn:|--x-s3$|--xa-s3$/.test(ways.bucket ?? ''))
      const { hasRanges, head, get } = ways
      // Otherwise nothing says the size.
      fc.pre(hasRanges === true || head?.length === 'right' || get?.length === 'right')
      await useAll(t, ways, JSON.stringify(ways))
      if (!t.passing()) throw new Error('see above')
    }),
    { numRuns: 40 },
  )
})

t.test('D10: size and date that no answer has are a fault', async (t) => {
  const none = { length: 'none', date: 'none' } as const
  const { mediaStore, imageFiles, store } = await openWell(t, { head: none, get: none })
  await done(mediaStore.put(NAME, IMAGE))
  for (const task of [imageFiles.look, imageFiles.open]) {
    const before = store.seen.length
    t.match(await task({ kind: 'upload', name: NAME })(), {
      left: { cause: { message: 'the S3 store: it says neither size nor date of an image' } },
    })
    t.ok(store.seen.length - before <= 3, 'it is asked no more than three times')
  }
})

/** Listings that never end or end too early, and the reason that is given. */
const FAULTY: ReadonlyArray<readonly [string, Ways['token'], RegExp]> = [
  ['always the same token', () => 'again-0', /repeats the token/],
  ['the token of the page itself', (next) => `page-${next - 1}`, /repeats the token/],
  ['a cycle of three pages', (next) => `page-${next % 3}`, /repeats the token/],
  ['no token', () => undefined, /without a token/],
  ['an empty token', () => '', /without a token/],
  ['no token after two pages', (next) => (next < 3 ? `page-${next}` : undefined), /without a token/],
]

for (const [what, token, said] of FAULTY)
  t.test(`D10: a listing with ${what} ends the sweep, deletes nothing, and is said`, async (t) => {
    const { store, mediaStore, portfolioImages } = await openWell(t, { page: 1, token })
    for (const name of NAMES) await done(mediaStore.put(name, IMAGE))
    const before = store.seen.length
    await t.rejects(namesIn(mediaStore.files()), said)
    t.ok(store.seen.length - before <= 4, `${store.seen.length - before} requests`)
    const swept = await makeSweepImages({
      ...memoryStore(),
      mediaStore,
      portfolioImages,
      secrets: plainSecrets(),
      clock: { now: () => instant(Date.now() + 1000 * HOUR) },
      knownImages: {
        among: () => TE.right(new Set(NAMES.slice(1))),
        isEmpty: () => TE.right(false),
        forgetReleased: () => TE.right([]),
      },
    })()()
    t.match(swept, { left: { cause: { message: said } } })
    t.ok(NAMES.every((name) => store.objects.has(`a/b/${name}`)))
  })

t.test('D10: a listing that says that it ends here does so, with a token or without', async (t) => {
  const { store, mediaStore } = await openWell(t)
  for (const name of NAMES) await done(mediaStore.put(name, IMAGE))
  const before = store.seen.length
  t.strictSame(await namesIn(mediaStore.files()), NAMES)
  t.equal(store.seen.length - before, 1)
})

const MALFORMED = 'The authorization header is malformed; the region is wrong'

/** How stores refuse a wrong region (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
const WRONG_REGION: ReadonlyArray<readonly [string, Ways['wrongRegion']]> = [
  [
    'in an element',
    [
      400,
      {},
      `<Error><Code>AuthorizationHeaderMalformed</Code><Message>x</Message><Region>RIGHT</Region></Error>`,
    ],
  ],
  [
    'in the message',
    [
      400,
      {},
      `<Error><Code>AuthorizationHeaderMalformed</Code><Message>${MALFORMED}; expecting 'RIGHT'</Message></Error>`,
    ],
  ],
  [
    'in a header field',
    [
      301,
      { 'x-amz-bucket-region': 'RIGHT' },
      '<Error><Code>PermanentRedirect</Code><Message>x</Message></Error>',
    ],
  ],
  ['in a header field without a body', [400, { 'x-amz-bucket-region': 'RIGHT' }, '']],
]

for (const [where, [status, headers, body]] of WRONG_REGION)
  for (const region of ['eu-west-3', 'RegionOne', 'default'])
    t.test(`D10: a wrong region names the right one, ${region}, that the store has ${where}`, async (t) => {
      const right = (text: string): string => text.replace('RIGHT', region)
      const wrongRegion = [
        status,
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, right(value)])),
        right(body),
      ] as const
      const { opened } = await open(t, { region, wrongRegion }, 'us-west-2')
      t.match(opened, {
        left: { cause: { message: new RegExp(`: the bucket is in the region ${region}$`) } },
      })
    })

t.test('D10: what is no region is not named, nor is one in an error about something else', async (t) => {
  for (const wrongRegion of [
    [
      400,
      {},
      '<Error><Code>AuthorizationHeaderMalformed</Code><Message>x</Message><Region>a secret &amp; more</Region></Error>',
    ],
    [400, {}, '<Error><Code>InvalidRequest</Code><Message>x</Message></Error>'],
    [
      403,
      { 'x-amz-bucket-region': 'eu-west-3' },
      '<Error><Code>AccessDenied</Code><Message>x</Message></Error>',
    ],
  ] as const) {
    const { opened } = await open(t, { region: 'eu-west-3', wrongRegion }, 'us-west-2')
    t.match(opened, { left: { cause: { message: /it answered \w+ \(40[03]\)$/ } } })
  }
})

t.test('D10: a signed address follows the store’s clock when one of the clocks steps', async (t) => {
  const { signedAddress, check, ways } = await openWell(t)
  for (const hours of [0, 72, -72, 3, 0]) {
    Object.assign(ways, { ahead: hours * HOUR })
    // The SDK repeats a request only where the clocks differ now.
    await check()()
    await done(check())
    const address = new URL(await done(signedAddress({ kind: 'upload', name: NAME }, 'GET', 300)))
    const at = timeOf(address.searchParams.get('X-Amz-Date') ?? '')
    t.equal(Math.round((at - Date.now()) / HOUR), hours)
  }
})

t.test(
  'D8: renditions are deleted before their image, and those made meanwhile after it; a refusal leaves the image',
  async (t) => {
    const { store, ways, mediaStore } = await openWell(t)
    await done(mediaStore.put(NAME, IMAGE))
    const widths = renditionsOf(NAME)
    for (const name of widths) await done(mediaStore.putRendition(name, Buffer.of(2)))
    Object.assign(ways, { refused: 'DELETE' })
    t.match(await mediaStore.remove(NAME)(), { left: { _tag: 'Unavailable' } })
    t.strictSame(await namesIn(mediaStore.files()), [NAME])
    Object.assign(ways, { refused: '' })
    const before = store.seen.length
    await done(mediaStore.remove(NAME))
    const deleted = store.seen.slice(before).map((line) => line.replace(/.*\/(?=r\/)|.*\/(?=[^/]+$)/, ''))
    const all = widths.map((name) => `r/${name}`).sort()
    const at = deleted.indexOf(NAME)
    t.strictSame(deleted.slice(0, at).sort(), all)
    t.strictSame(deleted.slice(at + 1, -1).sort(), all)
    t.strictSame(
      [...store.objects.keys()].filter((key) => key.includes('/r/') || key.endsWith(NAME)),
      [],
    )
  },
)

/** The method that a store refuses, and the reason that is given. */
const REFUSED = [
  ['PUT', /storing an image: it answered AccessDenied \(403\)/],
  ['DELETE', /deleting an image: it answered AccessDenied \(403\)/],
  ['GET', /reading an image: it answered AccessDenied \(403\)/],
] as const

t.test('D10: a trial stores, reads, lists and deletes an image, and names the step that fails', async (t) => {
  const { store, ways, probe } = await openWell(t, { page: 2 })
  for (const name of NAMES) store.objects.set(`a/b/${name}`, { bytes: Buffer.of(1), at: Date.now() })
  await done(probe())
  for (const [method, said] of REFUSED) {
    Object.assign(ways, { refused: method })
    t.match(await probe()(), { left: { cause: { message: said } } }, method)
  }
  Object.assign(ways, { refused: '', token: () => undefined })
  t.strictSame(await done(probe()), undefined, 'it is on the first page')
  Object.assign(ways, { page: 0 })
  t.match(await probe()(), { left: { cause: { message: /without a token/ } } })
  t.strictSame(
    [...store.objects.keys()].filter((key) => key.startsWith('a/b/sample')).length,
    NAMES.length,
    'the images of others stay',
  )
})
