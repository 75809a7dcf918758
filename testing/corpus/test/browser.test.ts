import t from 'tap'
import { FOUR_COLOURS } from '../../../packages/adapters-media/test/corpus/pixels.ts'
import { furthest } from '../../../packages/adapters-media/test/inspect.ts'
import { launchBrowser } from '../../browser/src/index.ts'
import { CORPUS_IMAGES, type CorpusImage, imageNamed } from './images.ts'

// D7: a browser shows the images whole that the corpus states as taken, and no others of its JPEGs, PNGs and SVGs.

/** Conversions of colours differ a little between a browser and the service. */
const TOLERANCE = 20

interface Shown {
  readonly width: number
  readonly height: number
  /** Whether the browser could decode all of it, as far as it can tell. */
  readonly isComplete: boolean
  /** Red, green and blue near the corners, and on the last row. */
  readonly points: ReadonlyArray<ReadonlyArray<number>>
}

/** Shows an image in the page. Resolves to undefined if the browser says that it is broken. Of SVGs it cannot tell whether they are complete. */
const SHOW = `async (url) => {
  const image = new Image()
  image.src = url
  await image.decode().catch(() => {})
  const { naturalWidth: width, naturalHeight: height } = image
  if (width === 0) return undefined
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const at = (x, y) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3)
  const [right, low, last] = [width - 20, height - 20, height - 1]
  const points = [at(20, 20), at(right, 20), at(20, low), at(right, low), at(20, last), at(right, last)]
  const bitmap = async () => createImageBitmap(await (await fetch(url)).blob())
  const isComplete = url.startsWith('data:image/svg') || (await bitmap().then(() => true, () => false))
  return { width, height, isComplete, points }
}`

const browser = await launchBrowser()
t.teardown(() => browser.close())

const CORNERS = [...FOUR_COLOURS, FOUR_COLOURS[2], FOUR_COLOURS[3]]

const hasAllColours = ({ points }: Shown): boolean =>
  points.every((point, n) => furthest(point, CORNERS[n] ?? []) <= TOLERANCE)

/** Images that a browser takes for whole, and the service refuses, with the reason. */
const REFUSED_ALL_THE_SAME: Readonly<Record<string, string>> = {
  'jpeg-progressive-cut-then-closed.jpg': 'all rows are there, less sharp than the image was',
  'png-rgb-cut-at-byte.png': 'only the last byte of the last checksum is missing',
}

type Verdict = 'whole' | 'not whole' | 'either'

/** What the corpus says about an image in a browser. Formats and sizes that the service refuses say nothing about it. */
const expectedOf = ({ outcome, type }: CorpusImage): Verdict => {
  if (outcome.kind === 'taken') return 'whole'
  if (outcome.kind === 'cut' || outcome.kind === 'damaged') return 'not whole'
  if (outcome.kind !== 'format' || outcome.asLogo === undefined || type === 'image/png') return 'either'
  return outcome.asLogo === 'taken' ? 'whole' : 'not whole'
}

const verdictOf = (shown: Shown | undefined, { outcome }: CorpusImage): Verdict => {
  if (shown === undefined) return 'not whole'
  const { width, height } = shown
  const isBlank = outcome.kind === 'format' || (outcome.kind === 'taken' && !outcome.hasCorners)
  const hasSize = outcome.kind !== 'taken' || (width === outcome.width && height === outcome.height)
  return hasSize && shown.isComplete && (isBlank || hasAllColours(shown)) ? 'whole' : 'not whole'
}

t.test('D7: what the corpus takes is what a browser shows whole', async (t) => {
  const page = await browser.newPage()
  for (const [name, image] of Object.entries(CORPUS_IMAGES)) {
    const url = `data:${image.type};base64,${imageNamed(name).toString('base64')}`
    const shown = await page.evaluate<Shown | undefined>(`(${SHOW})('${url}')`)
    const expected = expectedOf(image)
    if (expected === 'either') continue
    const verdict = name in REFUSED_ALL_THE_SAME ? 'whole' : expected
    t.equal(verdictOf(shown, image), verdict, name)
  }
})
