import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Unavailable } from '@almoner/domain'
import { UPLOAD_LIMIT } from '@almoner/domain/media'
import {
  EMPTY_PORTFOLIO,
  type FileRefused,
  fileRefused,
  type NamedImage,
  type OpenedPortfolio,
  type PlanSummary,
  PORTFOLIO_TABLES,
  type PortfolioContent,
  type PortfolioFault,
  type ReadImageFile,
  type UploadRefused,
} from '@almoner/domain/portfolio'
import { unavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { NOT_THERE, readBytes } from './list-files.ts'
import {
  type Answer,
  type FoundImage,
  PART,
  type Part,
  type Request,
  type ThreadData,
} from './thread/protocol.ts'

/** Reads the images that the thread has found. @param paths by kind and name */
const imagesAt =
  (paths: ReadonlyMap<string, string>, signal: AbortSignal | undefined): ReadImageFile =>
  (kind, file) =>
  async () => {
    if (signal?.aborted === true) return E.left(unavailable(signal.reason))
    const path = paths.get(`${kind}/${file}`)
    const read = path === undefined ? E.left(NOT_THERE) : await readBytes(path, UPLOAD_LIMIT)
    return E.mapLeft(
      (why: string): FileRefused =>
        fileRefused(
          why === NOT_THERE
            ? `names no file in ${kind}/: add it, or correct the name`
            : `names ${kind}/${file}, which ${why}`,
        ),
    )(read)
  }

/** The file of the thread is below this one, as source or built; beside it in the bundle, which names it so. */
const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './thread/thread.ts' : './thread/thread.js',
  import.meta.url,
)

/**
 * Megabytes of the thread's memory: a portfolio that takes more is refused. The texts of files that are read come on top: 64 MiB at most.
 */
const MEMORY = { maxOldGenerationSizeMb: 168, maxYoungGenerationSizeMb: 8 }

/** How a portfolio is opened. */
export interface OpenOptions {
  /** Whether errors name files below the folder of the portfolio; they name whole paths unless it is true. */
  readonly isBelow?: boolean
  /** Ends reading. */
  readonly signal?: AbortSignal
  /** Megabytes of memory that reading may take; 168 unless given. */
  readonly memory?: number
}

/** The files are refused, as plain async code throws it. */
class Refused extends Error {
  readonly refusal: UploadRefused

  constructor(refusal: UploadRefused) {
    super(refusal.message)
    this.refusal = refusal
  }
}

const OUT_OF_MEMORY = 'takes more memory than reading may: split the load, or shorten the table'

const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** A thread that reads a portfolio, one request at a time. */
const startThread = (data: ThreadData, { signal, memory }: OpenOptions) => {
  const worker = new Worker(FILE, {
    workerData: data,
    resourceLimits: { ...MEMORY, ...(memory !== undefined && { maxOldGenerationSizeMb: memory }) },
  })
  let file: string | undefined
  let failure: unknown
  let waiting:
    | { readonly resolve: (answer: unknown) => void; readonly reject: (cause: unknown) => void }
    | undefined
  const fail = (cause: unknown): void => {
    failure ??= cause
    waiting?.reject(failure)
    waiting = undefined
  }
  const end = async (): Promise<void> => {
    signal?.removeEventListener('abort', abort)
    fail(new Error('the portfolio is closed'))
    await worker.terminate()
  }
  const abort = (): void => {
    fail(signal?.reason ?? new Error('aborted'))
    void worker.terminate()
  }
  worker.on('message', (answer: Answer) => {
    if ('reading' in answer) file = answer.reading
    else if ('answer' in answer) {
      const { resolve } = waiting ?? {}
      waiting = undefined
      resolve?.(answer.answer)
    } else if ('refused' in answer) {
      const { isTooLarge, ...refused } = answer.refused
      fail(new Refused({ _tag: 'UploadRefused', reason: isTooLarge ? 'too-large' : 'bad', ...refused }))
    } else fail(answer.broken)
  })
  worker.on('error', (cause) =>
    fail(
      isOutOfMemory(cause)
        ? new Refused({ _tag: 'UploadRefused', reason: 'too-large', file, message: OUT_OF_MEMORY })
        : cause,
    ),
  )
  worker.on('exit', () => fail(new Error('the thread that reads has ended')))
  signal?.addEventListener('abort', abort)
  if (signal?.aborted === true) abort()
  const ask = <A>(request: Request): Promise<A> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure)
      waiting = { resolve: resolve as (answer: unknown) => void, reject }
      worker.postMessage(request)
    })
  return { ask, end }
}

/** Asks for a list part by part. */
const allOf = async <A>(part: (from: number) => Promise<ReadonlyArray<A>>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (;;) {
    const next = await part(all.length)
    all.push(...next)
    if (next.length < PART) return all
  }
}

const slices = function* <A>(values: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  for (let from = 0; from < values.length; from += PART) yield values.slice(from, from + PART)
}

const partsOf = function* (content: PortfolioContent): Generator<Part> {
  yield { name: content.name }
  for (const table of PORTFOLIO_TABLES)
    for (const rows of slices<PortfolioContent[typeof table][number]>(content[table]))
      yield { table, rows: rows as PortfolioContent[typeof table] }
}

/** Runs plain async code; a refusal is a failure, what a signal has ended is unavailable, all else is a bug. */
const asked =
  <A>(
    work: () => Promise<A>,
    signal: AbortSignal | undefined,
  ): TE.TaskEither<UploadRefused | Unavailable, A> =>
  async () => {
    try {
      return E.right(await work())
    } catch (cause) {
      if (cause instanceof Refused) return E.left(cause.refusal)
      if (signal?.aborted === true) return E.left(unavailable(cause))
      throw cause
    }
  }

/**
 * Opens a portfolio in a folder or in one file (H1). A thread with a memory limit reads it and holds its rows, so that the worst files cost
 * this thread nothing (H4); `close` ends it.
 */
export const openPortfolio = (path: string, options: OpenOptions = {}): OpenedPortfolio => {
  const { isBelow = false, signal } = options
  const { ask, end } = startThread({ path, isBelow }, options)
  const paths = new Map<string, string>()
  const images = async (): Promise<ReadonlyArray<NamedImage>> => {
    const found = await allOf((from) => ask<ReadonlyArray<FoundImage>>({ ask: 'images', from }))
    for (const { image, path: at } of found)
      if (at !== undefined) paths.set(`${image.kind}/${image.file}`, at)
    return found.map(({ image }) => image)
  }
  const content = async (): Promise<PortfolioContent> => {
    const tables: Array<readonly [string, unknown]> = []
    for (const table of PORTFOLIO_TABLES)
      tables.push([
        table,
        await allOf((from) => ask<ReadonlyArray<unknown>>({ ask: 'content', table, from })),
      ])
    const name = await ask<string>({ ask: 'name' })
    return { ...EMPTY_PORTFOLIO, name, ...Object.fromEntries(tables) }
  }
  return {
    draft: {
      images: () => asked(images, signal),
      check: (results, before) =>
        asked(async () => {
          for (const part of slices(results)) await ask({ ask: 'results', results: part })
          for (const part of partsOf(before)) {
            await ask({ ask: 'before', part })
            await nextTurn()
          }
          return ask<ReadonlyArray<PortfolioFault>>({ ask: 'check' })
        }, signal),
      compare: () => asked(() => ask<PlanSummary>({ ask: 'compare' }), signal),
      content: () => asked(content, signal),
    },
    read: imagesAt(paths, signal),
    close: end,
  }
}
