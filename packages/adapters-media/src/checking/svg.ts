import { isUtf8 } from 'node:buffer'
import type { Unavailable } from '@almoner/domain'
import { type ImageFault, SVG_LIMIT } from '@almoner/domain/media'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from '../attempt.ts'
import { type Decoder, decoder } from '../decoder.ts'
import { broken } from './image-type.ts'

/** Pixels on a side that an SVG may ask for, as for other images. */
const SIDE = 4096

/** Seconds that drawing may take. */
const TIME_LIMIT = 20

/** Bytes among which the root element must begin. */
const PROLOGUE = 100_000

const DOCTYPE = /^<!DOCTYPE[^>[]*/i
const ROOT = /^<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]/

/** The namespace of SVG; without it browsers show nothing. */
const NAMESPACE = 'http://www.w3.org/2000/svg'

/** What follows the document type that a text begins with, which may have a subset in brackets; undefined when it has no end. */
const afterType = (text: string): string | undefined => {
  const length = DOCTYPE.exec(text)?.[0].length
  if (length === undefined) return undefined
  const subset = text[length] === '[' ? text.indexOf(']', length) : length
  const end = subset < 0 ? -1 : text.indexOf('>', subset)
  return end < 0 ? undefined : text.slice(end + 1)
}

/** What follows the first part of a prologue: an instruction, a comment or a document type; undefined when there is none. */
const afterPart = (text: string): string | undefined => {
  for (const [begin, end] of [
    ['<?', '?>'],
    ['<!--', '-->'],
  ] as const) {
    const at = text.startsWith(begin) ? text.indexOf(end, begin.length) : -1
    if (at >= 0) return text.slice(at + end.length)
  }
  return afterType(text)
}

/** Returns a text without its prologue. */
const afterPrologue = (bytes: Uint8Array): string => {
  let text = new TextDecoder().decode(bytes.subarray(0, PROLOGUE)).trimStart()
  for (let rest: string | undefined = text; rest !== undefined; rest = afterPart(text))
    text = rest.trimStart()
  return text
}

/** Whether a file says by its content that it is an SVG. */
export const looksLikeSvg = (bytes: Uint8Array): boolean => ROOT.test(afterPrologue(bytes))

/** The name of an attribute, and its value in quotes. */
const ATTRIBUTE = /\s+([^\s=>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

/** Returns the namespace of the root element; undefined if it has none. An entity of the document type may stand for it. */
const namespaceOf = (root: string): string | undefined => {
  ATTRIBUTE.lastIndex = 4
  for (let found = ATTRIBUTE.exec(root); found !== null; found = ATTRIBUTE.exec(root))
    if (found[1] === 'xmlns') return found[2] ?? found[3]
  return undefined
}

/** Returns the fault of the first element of an SVG and the line to write instead; undefined if it has none. */
const faultOfRoot = (bytes: Uint8Array): string | undefined => {
  if (!isUtf8(bytes)) return 'it must be in UTF-8'
  const root = afterPrologue(bytes)
  if (!root.startsWith('<svg')) return 'its first element must be <svg>, without a prefix'
  const namespace = namespaceOf(root)
  if (namespace === NAMESPACE || namespace?.includes('&')) return undefined
  const found = namespace === undefined ? 'has no xmlns' : `has xmlns="${namespace.slice(0, 40)}"`
  return `its <svg> element ${found}: write <svg xmlns="${NAMESPACE}" …>`
}

/** What the renderer says of a file that is no sound XML: the line, and the cause. */
const XML_ERROR = /(?:in \(null\):(\d+):\d+| on line (\d+) column \d+ of data): ([^\n]+)/
const UNKNOWN_PREFIX = /^Namespace prefix (\S+) (?:for|on) /

/** The namespaces that drawing programs use without a declaration. */
const PREFIXES: Readonly<Record<string, string>> = { xlink: 'http://www.w3.org/1999/xlink' }

/** Returns why the renderer gave up. */
const faultOfDrawing = ({ cause }: Unavailable): string => {
  const [, first, second, text] = XML_ERROR.exec(cause instanceof Error ? cause.message : '') ?? []
  const line = first ?? second
  if (line === undefined || text === undefined) return 'it cannot be drawn'
  const prefix = UNKNOWN_PREFIX.exec(text)?.[1]
  if (prefix === undefined) return `line ${line} is no XML: ${text.slice(0, 100)}`
  return `line ${line} uses the prefix ${prefix}: write <svg xmlns:${prefix}="${PREFIXES[prefix] ?? '…'}" …>`
}

/** The size of an image in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels on the longer side of the test rendering, and the dots an inch at which an SVG has its own size. */
const [TEST_SIDE, OWN_DENSITY] = [64, 72]

/**
 * Renders an SVG at a small size, as a test. At their own size two megabytes of large shapes take minutes of a thread that nothing can
 * interrupt (H4).
 */
const draw = async (sharp: Decoder, bytes: Uint8Array): Promise<Size> => {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  const side = Math.max(width, height)
  if (side > SIDE) return { width, height }
  const scale = Math.min(1, Math.max(TEST_SIDE / side, 1 / Math.min(width, height)))
  const density = OWN_DENSITY * scale
  await sharp(bytes, { limitInputPixels: false, density }).timeout({ seconds: TIME_LIMIT }).raw().toBuffer()
  return { width, height }
}

/**
 * Renders an SVG as a test, and measures it. Reads only the file itself and no references. Fails with BrokenImage if it cannot be rendered,
 * is not UTF-8 or lacks its namespace, with WrongImageSize above 4096 pixels on a side, and with Unavailable without a renderer.
 */
export const checkSvg = (bytes: Uint8Array): TE.TaskEither<ImageFault | Unavailable, Size> => {
  if (bytes.length > SVG_LIMIT) return TE.left({ _tag: 'ImageTooLarge' })
  const fault = faultOfRoot(bytes)
  if (fault !== undefined) return TE.left(broken(fault))
  const rule = { kind: 'within', side: SIDE } as const
  return pipe(
    attempt(decoder),
    TE.flatMap((sharp) =>
      pipe(
        attempt(() => draw(sharp, bytes)),
        TE.mapError((failure): ImageFault | Unavailable => broken(faultOfDrawing(failure))),
      ),
    ),
    TE.filterOrElse(
      ({ width, height }) => Math.max(width, height) <= SIDE,
      ({ width, height }): ImageFault | Unavailable => ({ _tag: 'WrongImageSize', rule, width, height }),
    ),
  )
}
