import type { OpenedPortfolio, OpenPortfolio, UploadedFile } from '@almoner/domain/portfolio'
import { fieldError } from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { BODY_LIMIT } from '../limits.ts'
import { badRequest, busy, ProblemError } from '../problems/problem.ts'
import { contextOf } from '../request-context.ts'
import { PartTexts } from './multipart-body.ts'
import { partsOf, problemOfParts } from './multipart-parts.ts'
import { unreadable } from './parameters.ts'
import { PartError, undoTransfer } from './part-decoding.ts'
import { limitUploads } from './upload-limit.ts'

/** Opens the files of a request, does work with them, and closes them. The work gets undefined if the request has no multipart body. */
export type WithFiles = <A>(
  request: FastifyRequest,
  work: (files: OpenedPortfolio | undefined) => Promise<A>,
) => Promise<A>

/** The reader of the files has lower limits, and says which. These keep a body from being read for ever. */
const LIMITS = { fileSize: 256 * 1024 * 1024, parts: 10_010 }

/** What was read beside the files, and the error that ended the reading. */
interface Reading {
  readonly texts: PartTexts
  failure?: ProblemError
}

const filesOf = async function* (request: FastifyRequest, reading: Reading): AsyncGenerator<UploadedFile> {
  try {
    for await (const part of partsOf(request, LIMITS)) {
      if (!part.isFile) {
        await reading.texts.add(part, BODY_LIMIT)
        continue
      }
      const content = undoTransfer(part.sent, part.encoding)
      yield { path: part.fileName ?? part.name, content }
      for await (const _ of content);
    }
  } catch (error) {
    reading.failure =
      error instanceof PartError ? unreadable(`A file ${error.message}.`) : problemOfParts(error)
    throw reading.failure
  }
}

const read = async (request: FastifyRequest, open: OpenPortfolio): Promise<OpenedPortfolio> => {
  const reading: Reading = { texts: new PartTexts() }
  const opened = await open(filesOf(request, reading))()
  request.body = reading.texts.fields
  if (E.isRight(opened)) return opened.right
  // The rest of the body is skipped, so that the client receives the response.
  contextOf(request).multipart?.destroy()
  if (reading.failure !== undefined) throw reading.failure
  if (opened.left._tag !== 'UploadRefused') throw new ProblemError(busy(opened.left.cause))
  throw new ProblemError(
    badRequest('The upload cannot be taken.', [fieldError('files', opened.left.message)]),
  )
}

/** Makes the function that opens the files of requests: of two requests at a time, while four more may wait. */
export const makeWithFiles = (open: OpenPortfolio): WithFiles => {
  const acquire = limitUploads(2, 4)
  return async (request, work) => {
    if (contextOf(request).multipart === undefined) return work(undefined)
    const release = await acquire()
    try {
      const opened = await read(request, open)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    } finally {
      release()
    }
  }
}
