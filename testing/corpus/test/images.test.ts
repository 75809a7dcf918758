import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FEED_IMAGE, fits, type ImageRule, LIBRARY_IMAGE } from '@almoner/domain/media'
import t, { type Test } from 'tap'
import { command, json } from '../../../apps/almoner/test/support/portfolio.ts'
import {
  type ConsoleFixture,
  OWN_PAGE,
  signIn,
  startConsole,
} from '../../../packages/adapters-http/test/support/console.ts'
import { create, itemIn, look, PHOTO } from '../../../packages/adapters-http/test/support/items.ts'
import { fileForm, imagePath, served } from '../../../packages/adapters-http/test/support/uploads.ts'
import { FOUR_COLOURS } from '../../../packages/adapters-media/test/corpus/pixels.ts'
import {
  cornersOf,
  decode,
  furthest,
  PLAIN_PARTS,
  partsOf,
} from '../../../packages/adapters-media/test/inspect.ts'
import { zipOf } from '../../../packages/adapters-node/test/support/zip.ts'
import { ApiError, type Client, createClient } from '../../../packages/client/src/index.ts'
import { CORPUS_IMAGES, type CorpusImage, IMAGE_FOLDER, imageNamed, type Outcome } from './images.ts'

// D7: every image of the corpus through every way in. Each gives what the corpus states, and all agree.

const IMAGES = Object.entries(CORPUS_IMAGES)

const BYTES_AT_MOST = 2 * 1024 * 1024

/** JPEG, the colours of print and wide gamuts move levels by a few steps. */
const TOLERANCE = 14

t.test('the corpus consists of the files that it states, and stays small', async (t) => {
  const names = readdirSync(IMAGE_FOLDER).sort()
  t.strictSame(names, Object.keys(CORPUS_IMAGES).sort())
  const bytes = names.reduce((sum, name) => sum + statSync(join(IMAGE_FOLDER, name)).size, 0)
  t.ok(bytes < BYTES_AT_MOST, `${bytes} bytes`)
})

/** What a way in answers: accepted, or why not. */
interface Answer {
  readonly status: number
  readonly code: string
  readonly text: string
}

const ACCEPTED: Answer = { status: 200, code: '', text: '' }

const TEXTS: Readonly<Record<'cut' | 'damaged' | 'animated' | 'size', RegExp>> = {
  cut: /^The image does not decode whole: the file ends before the image does\.$/,
  damaged: /^The image does not decode whole: a part of the file is missing or damaged\.$/,
  animated: /^The image must not be animated\.$/,
  size: /^The image must .* pixels .*; it has \d+ by \d+\.$/,
}

/** What an upload must be answered under a rule. */
const expectedOf = (outcome: Outcome, rule: ImageRule): { status: number; code: string; text: RegExp } => {
  if (outcome.kind === 'format')
    return {
      status: 415,
      code: 'unsupported_media_type',
      text: new RegExp(`^The image must be a JPEG or PNG; this is ${outcome.format}: .*(?:JPEG|PNG)\\.$`),
    }
  const bad = { status: 400, code: 'invalid_image' }
  if (outcome.kind !== 'taken') return { ...bad, text: TEXTS[outcome.kind] }
  return fits(rule, outcome.width, outcome.height)
    ? { ...ACCEPTED, text: /^$/ }
    : { ...bad, text: TEXTS.size }
}

/** A wrong name and type for an image. */
const disguised = ({ type }: CorpusImage) =>
  type === 'image/jpeg'
    ? { name: 'picture.heic', type: 'image/heic' }
    : { name: 'photo.jpg', type: 'image/jpeg' }

const answerOf = async (response: Response): Promise<Answer> => {
  if (response.status === 200) return ACCEPTED
  const { code, detail } = (await response.json()) as { code: string; detail: string }
  return { status: response.status, code, text: detail }
}

/** Uploads by the typed client. */
const byClient = async (fixture: ConsoleFixture, upload: (api: Client) => Promise<unknown>) => {
  const token = async () => ({ access_token: await fixture.token('manager'), expires_in: 3600 })
  try {
    await upload(createClient({ baseUrl: fixture.url, token }))
    return ACCEPTED
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const text = error.message.replace(/^\d+: /, '').replace(/\. itemUploadMedia .*/, '.')
    return { status: error.status, code: error.code, text }
  }
}

const startBoth = async (t: Test) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  return { fixture, session: { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE } }
}

/** Lists the faults of a stored image. */
const flawsOf = async (
  fixture: ConsoleFixture,
  url: string,
  outcome: Outcome,
): Promise<ReadonlyArray<string>> => {
  const response = await served(fixture, url)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type') === 'image/png' ? 'image/png' : 'image/jpeg'
  const pixels = await decode(bytes)
  const distance = cornersOf(pixels).map((corner, n) => furthest(corner, FOUR_COLOURS[n] ?? []))
  const flaws = partsOf({ type, bytes }).filter((part) => !PLAIN_PARTS[type].has(part))
  if (outcome.kind !== 'taken') return [...flaws, 'must not be stored']
  const { width, height, hasCorners } = outcome
  const hasSize = pixels.width === width && pixels.height === height
  const hasColours = !hasCorners || Math.max(...distance) <= TOLERANCE
  return [
    ...flaws,
    ...(hasSize ? [] : [`has ${pixels.width} by ${pixels.height} pixels`]),
    ...(hasColours ? [] : [`shows other colours: ${distance}`]),
  ]
}

t.test(
  'D1, D7: an image of a publication is what the corpus states, by API, client and console',
  async (t) => {
    const { fixture, session } = await startBoth(t)
    const { itemId } = await create(fixture, 'library')
    const path = imagePath('library', itemId)
    for (const [name, image] of IMAGES) {
      const bytes = imageNamed(name)
      const expected = expectedOf(image.outcome, LIBRARY_IMAGE)
      const named = fileForm({ bytes, name, type: image.type })
      const first = await answerOf(await fixture.call('POST', path, { as: 'manager', multipart: named }))
      t.match(first, expected, name)
      if (first.status === 200) {
        const { item } = await look(fixture, 'library', itemId)
        t.strictSame(await flawsOf(fixture, item.coverImgUrl, image.outcome), [], name)
      }
      const others = {
        'another name and type': await answerOf(
          await fixture.call('POST', path, {
            as: 'manager',
            multipart: fileForm({ bytes, ...disguised(image) }),
          }),
        ),
        'the console': await answerOf(
          await fixture.call('POST', `/console/api${path}`, {
            headers: session,
            multipart: fileForm({ bytes, name, type: image.type }),
          }),
        ),
        'the client': await byClient(fixture, (api) =>
          api.upload('/library/{itemId}/media/{image}', {
            path: { itemId, image: 'notification' },
            file: new Uint8Array(bytes),
          }),
        ),
      }
      for (const [way, answer] of Object.entries(others)) t.strictSame(answer, first, `${name} by ${way}`)
    }
  },
)

t.test(
  'D1, D7: an image of a post is what the corpus states, from its author and in the console',
  async (t) => {
    const { fixture, session } = await startBoth(t)
    const { itemId } = await itemIn(await fixture.call('POST', '/feed/', { as: 'donor', json: PHOTO }))
    const path = imagePath('feed', itemId)
    for (const [name, image] of IMAGES) {
      const form = () => fileForm({ bytes: imageNamed(name), name, type: image.type })
      const first = await answerOf(await fixture.call('POST', path, { as: 'donor', multipart: form() }))
      t.match(first, expectedOf(image.outcome, FEED_IMAGE), name)
      if (first.status === 200) {
        const { item } = await look(fixture, 'feed', itemId)
        t.strictSame(await flawsOf(fixture, item.itemRelatedLink, image.outcome), [], name)
      }
      const other = await fixture.call('POST', `/console/api${path}`, { headers: session, multipart: form() })
      t.strictSame(await answerOf(other), first, `${name} by the console`)
      // Its author may add an image again, but not replace one (D4).
      if (first.status === 200) await fixture.call('DELETE', `${path}/`, { as: 'manager' })
    }
  },
)

/** A sentence about a logo, which repeats the name of its file. */
const ofLogo = (rest: string): RegExp => new RegExp(`^logo "[^"]+" ${rest}`)

/** What an image as a logo must be answered; undefined if it is accepted. */
const logoFault = (outcome: Outcome): RegExp | undefined => {
  if (outcome.kind === 'taken') return undefined
  if (outcome.kind !== 'format')
    return outcome.kind === 'size'
      ? ofLogo(String.raw`is too large: \d+ by \d+ pixels$`)
      : ofLogo(TEXTS[outcome.kind].source.replace('^The image ', '').replace('\\.$', '$'))
  if (outcome.asLogo === undefined) return ofLogo(`must be an SVG, PNG or JPEG; this is ${outcome.format}: `)
  return outcome.asLogo === 'taken' ? undefined : ofLogo(`.*${outcome.asLogo.source}`)
}

/** The files of a portfolio with an organization for each image, which has the image as its logo. The n-th one is in line n + 2. */
const portfolioFiles = (): Readonly<Record<string, string | Uint8Array>> => ({
  'portfolio.json': '{"name":"The corpus"}',
  'sectors.json': '[]',
  'organizations.json': json(
    IMAGES.map(([logo], n) => ({
      id: `o${n}`,
      name: `O ${n}`,
      since: 2016,
      founded: 1999,
      logo,
      visual: 'svg.svg',
    })),
  ),
  ...Object.fromEntries(IMAGES.map(([name]) => [`logo/${name}`, imageNamed(name)])),
  'visual/svg.svg': imageNamed('svg.svg'),
})

const linesOfCommand = async (folder: string): Promise<ReadonlyArray<string>> => {
  const portfolio = join(folder, 'portfolio')
  for (const kind of ['logo', 'visual']) mkdirSync(join(portfolio, kind), { recursive: true })
  for (const [name, content] of Object.entries(portfolioFiles()))
    writeFileSync(join(portfolio, name), content)
  const { err } = await command(folder, 'portfolio', 'load', portfolio, '--dry-run')
  return err
    .trimEnd()
    .split('\n')
    .map((line) => line.replace('almoner: ', '').replaceAll(`${portfolio}/`, ''))
}

interface Fault {
  readonly file: string
  readonly line: number
  readonly text: string
}

const linesOfConsole = async (t: Test, packed: boolean): Promise<ReadonlyArray<string>> => {
  const { fixture, session } = await startBoth(t)
  const form = new FormData()
  const entries = Object.entries(portfolioFiles())
  const files = packed
    ? [['corpus.zip', zipOf(...entries.map(([name, content]) => ({ name, content })))] as const]
    : entries
  for (const [path, content] of files)
    form.append('files', new Blob([content as Uint8Array<ArrayBuffer>]), path)
  const response = await fixture.call('POST', '/console/api/portfolio/review', {
    headers: session,
    multipart: form,
  })
  const { review } = (await response.json()) as { review: { faults: ReadonlyArray<Fault> } }
  return review.faults.map(({ file, line, text }) => `${file}:${line}: ${text}`)
}

t.test('H1, D7: a logo is what the corpus states, by command line, console and archive', async (t) => {
  const lines = await linesOfCommand(t.testdir())
  for (const [n, [name, { outcome }]] of IMAGES.entries()) {
    const start = `organizations.json:${n + 2}: `
    const found = lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
    const fault = logoFault(outcome)
    if (fault === undefined) t.strictSame(found, [], name)
    else t.match(found, [fault], name)
  }
  for (const packed of [false, true]) {
    const others = await linesOfConsole(t, packed)
    t.strictSame(
      [...others].sort(),
      [...lines].sort(),
      packed ? 'an archive in the console' : 'a folder in the console',
    )
  }
})
