import { relative } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import {
  EMPTY_PORTFOLIO,
  type ImageResult,
  type NamedImage,
  type PortfolioContent,
  type PortfolioFault,
} from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type ReadDraft, readDraft } from '../read-portfolio.ts'
import { FileError, FileTooLarge } from '../reading.ts'
import { type Answer, PART, type Part, type Request, type ThreadData } from './protocol.ts'

// The file of the thread that reads a portfolio (H4): one for each load, which ends with it.

const { path, isBelow } = workerData as ThreadData

/** The folder of the portfolio, once it is known. */
let root = path

/** Returns a file's path as errors name it: below the folder of the portfolio, or what was sent if it lies elsewhere. */
const shown = (file: string): string => {
  if (!isBelow) return file
  const below = relative(root, file)
  return below.startsWith('..') ? relative(path, file) : below
}

const shownFault = (fault: PortfolioFault): PortfolioFault =>
  fault.place === undefined ? fault : { ...fault, place: { ...fault.place, file: shown(fault.place.file) } }

const got = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw result.left
  return result.right
}

const added = (content: PortfolioContent, part: Part): PortfolioContent => {
  if ('name' in part) return { ...content, name: part.name }
  const rows = content[part.table] as Array<unknown>
  rows.push(...part.rows)
  return content
}

const makeHandler = ({ draft, imagePath }: ReadDraft) => {
  let before: PortfolioContent = structuredClone(EMPTY_PORTFOLIO)
  let images: ReadonlyArray<NamedImage> | undefined
  const results: Array<ImageResult> = []
  return async (request: Request): Promise<unknown> => {
    switch (request.ask) {
      case 'images':
        images ??= await got(draft.images())
        return images.slice(request.from, request.from + PART).map((image) => ({
          image: { ...image, use: shownFault(image.use as PortfolioFault) },
          path: imagePath(image),
        }))
      case 'results':
        results.push(...request.results)
        return undefined
      case 'check':
        return (await got(draft.check(results, before))).map(shownFault)
      case 'before':
        before = added(before, request.part)
        return undefined
      case 'compare':
        return got(draft.compare())
      case 'name':
        return (await got(draft.content())).name
      case 'content':
        return (await got(draft.content()))[request.table].slice(request.from, request.from + PART)
    }
  }
}

const answerTo = (cause: unknown): Answer => {
  if (cause instanceof FileTooLarge)
    return { refused: { file: shown(cause.file), message: cause.message, isTooLarge: true } }
  if (cause instanceof FileError) {
    const { file, line, text } = cause.fault
    const place = line === undefined ? shown(file) : `${shown(file)}:${line}`
    return { refused: { file: place, message: text, isTooLarge: false } }
  }
  return { broken: cause }
}

if (parentPort !== null) {
  const port = parentPort
  const reading = readDraft(path, {
    onRoot: (folder) => {
      root = folder
    },
    onFile: (file) => port.postMessage({ reading: shown(file) } satisfies Answer),
  })
  const handler = reading.then(makeHandler)
  // The first request is answered with the error.
  handler.catch(() => {})
  port.on('message', (request: Request) => {
    handler
      .then((handle) => handle(request))
      .then((answer) => port.postMessage({ answer } satisfies Answer))
      .catch((cause: unknown) => port.postMessage(answerTo(cause)))
  })
}
