import { SVG_LIMIT } from '@almoner/domain/media'
import { unavailable } from '@almoner/domain/ports'
import { done, failure, portfolioImageCheckerContract } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { looksLikeSvg } from '../src/checking/svg.ts'
import { portfolioImageChecker, sharpImageChecker } from '../src/index.ts'
import { foreignUploads } from './corpus/foreign.ts'
import { jpegOf } from './corpus/jpeg-file.ts'
import { runner } from './runner.ts'

const make = () => portfolioImageChecker(sharpImageChecker())

const svg = (inside: string, attributes = 'width="120" height="80"'): Uint8Array =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)

const SOUND = svg('<rect width="120" height="80" fill="#1F4E79"/>')
const { default: sharp } = await import('sharp')
const png = await sharp(SOUND).png().toBuffer()
const wide = await sharp({ create: { width: 5000, height: 1, channels: 3, background: '#fff' } })
  .png()
  .toBuffer()

portfolioImageCheckerContract(runner, make, {
  sound: { 'image/svg+xml': SOUND, 'image/png': png, 'image/jpeg': await jpegOf(120, 80) },
  broken: {
    'an SVG cut short': SOUND.subarray(0, -10),
    'an SVG that is no XML': svg('<rect <<'),
    'an SVG in no UTF-8': Buffer.concat([
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><!--'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('--></svg>'),
    ]),
    'a PNG cut short': png.subarray(0, -20),
  },
  foreign: {
    ...Object.fromEntries(
      (await foreignUploads())
        .filter(({ name }) => !/svg/i.test(name))
        .map(({ name, bytes }) => [name, bytes]),
    ),
    'no bytes': new Uint8Array(),
    HTML: Buffer.from('<!doctype html><html><body><svg width="1" height="1"></svg></body></html>'),
  },
  large: {
    'an SVG of many bytes': svg(' '.repeat(SVG_LIMIT)),
    'an SVG of many pixels': svg('', 'width="5000" height="10"'),
    'a PNG of many pixels': wide,
  },
})

t.test('H1: an SVG may begin with a declaration, a document type and comments', async (t) => {
  const prologue = '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n'
  const bytes = Buffer.concat([Buffer.from(prologue), SOUND])
  const checked = await done(make().check(bytes))
  t.strictSame([checked.type, Buffer.from(checked.bytes)], ['image/svg+xml', bytes])
})

/** Beginnings of SVGs that browsers do not show, and what the reason must name. */
const ROOTS: ReadonlyArray<readonly [file: string, reason: RegExp]> = [
  [
    '<svg width="9" height="9"><path/></svg>',
    /has no xmlns: write <svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" …>/,
  ],
  [
    '<?xml version="1.0"?>\n<!-- <svg xmlns="http://www.w3.org/2000/svg"> -->\n<svg\n width="9"\n height="9"/>',
    /has no xmlns/,
  ],
  ['<svg title=\'xmlns="http://www.w3.org/2000/svg"\' width="9" height="9"/>', /has no xmlns/],
  ['<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"/>', /has no xmlns/],
  ['<svg xmlns="" width="9" height="9"/>', /has xmlns=""/],
  [
    '<svg width="9" height="9" xmlns = "https://www.w3.org/2000/svg"/>',
    /has xmlns="https:.*write <svg xmlns="http:/,
  ],
  [`<svg xmlns="${'x'.repeat(99)}" width="9" height="9"/>`, /has xmlns="x{40}":/],
  ['<s:svg xmlns:s="http://www.w3.org/2000/svg" width="9" height="9"/>', /without a prefix/],
  [
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\n<use xlink:href="#a"/></svg>',
    /line 2 uses the prefix xlink: write <svg xmlns:xlink="http:\/\/www\.w3\.org\/1999\/xlink" …>/,
  ],
  ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\n\n<g></svg>', /line 3 is no XML: /],
]

t.test('D7, H1: an SVG that browsers do not show is refused with the cause and what to write', async (t) => {
  for (const [file, reason] of ROOTS) {
    const result = await make().check(Buffer.from(file))()
    const fault = E.isLeft(result) ? result.left : undefined
    t.match(fault, { _tag: 'BrokenImage', reason }, file)
  }
})

t.test('H1: the namespace of an SVG may stand anywhere in its first element, or in an entity', async (t) => {
  for (const file of [
    "<svg\n\twidth='9' height='9'\n\txmlns='http://www.w3.org/2000/svg'\n/>",
    '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;" width="9" height="9"/>',
  ])
    t.equal(await failure(make().check(Buffer.from(file))), 'none', file)
})

t.test('H1: an SVG may begin with a document type of any form that is closed', async (t) => {
  for (const type of [
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
    '<!doctype svg>',
    '<!DOCTYPE svg [<!ENTITY a "b"> <!ENTITY c "d">] >',
  ])
    t.ok(looksLikeSvg(Buffer.concat([Buffer.from(type), SOUND])), type)
  for (const type of ['<!DOCTYPE svg', '<!DOCTYPE svg [', '<!DOCTYPE svg [<!ENTITY a "b">]'])
    t.notOk(looksLikeSvg(Buffer.from(type)), type)
})

t.test('H1: a file without an SVG element is scanned once', async (t) => {
  // Each of them, looked at again from each of its characters, takes seconds, and all of them longer than a test may.
  for (const part of [' ', 'a', '[', '] ', '<', '<?', '<!--', '<!DOCTYPE ', '<!DOCTYPE [', '<!DOCTYPE>'])
    for (const start of ['<!DOCTYPE', '<!DOCTYPE [', '<!DOCTYPE []'])
      t.notOk(looksLikeSvg(Buffer.from(start + part.repeat((2 * 1024 * 1024) / part.length))), start + part)
})

t.test('H1: an SVG is neither inflated, nor does it read other files', async (t) => {
  const bomb = `<!DOCTYPE svg [${Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')}<!ENTITY e0 "ha">]>`
  t.equal(
    await failure(make().check(Buffer.concat([Buffer.from(bomb), svg('<text>&e12;</text>')]))),
    'BrokenImage',
  )
  const reader = svg('<image href="file:///etc/passwd" width="10" height="10"/>')
  t.strictSame(Buffer.from((await done(make().check(reader))).bytes), Buffer.from(reader), 'stored unchanged')
})

t.test('H4: an SVG of many large shapes is rendered small, and keeps its size', async (t) => {
  const shape = '<rect width="4096" height="4096" fill="red" opacity="0.1"/>'
  const shapes = shape.repeat(SVG_LIMIT / shape.length - 4)
  // At its own size it takes longer than a test may.
  const { width, height } = await done(make().check(svg(shapes, 'width="4096" height="4096"')))
  t.same([width, height], [4096, 4096])
  for (const [wide, high] of [
    [4096, 1],
    [1, 4096],
    [4096, 10],
    [1, 1],
    [100, 100],
  ] as const) {
    const checked = await done(make().check(svg('<rect/>', `width="${wide}" height="${high}"`)))
    t.same([checked.width, checked.height], [wide, high])
  }
})

t.test('a busy checker does not blame the image', async (t) => {
  const busy = portfolioImageChecker({ check: () => TE.left(unavailable('busy')) })
  t.equal(await failure(busy.check(png)), 'Unavailable')
})
