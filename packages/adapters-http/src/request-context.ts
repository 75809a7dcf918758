import type { Admitted } from '@almoner/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kept } from './plugins/response-cache/generations.ts'
import type { ReadyAnswer } from './responses/render.ts'

/** What is learnt of a request on its way to its route. */
export interface RequestState {
  caller?: Admitted
  upload?: Uint8Array | undefined
  /** What is kept of answers, as it was when the caller became known. */
  kept?: Kept
  /** The answer, where it is kept for others. */
  shared?: ReadyAnswer
  /** The path as routes have it, where that of the route which answers says less. */
  path?: string
  /** What the answer says went wrong on our side, for the log. */
  cause?: unknown
}

const STATE = Symbol('what is learnt of a request')

type WithState = FastifyRequest & { [STATE]: RequestState | null }

/** Gives each request of an application a place for its state. A second time does nothing. */
export const keepStates = (app: FastifyInstance): void => {
  // As a property that every request has, it costs nothing; a map beside them would keep the garbage collector busy.
  if (!app.hasRequestDecorator(STATE)) app.decorateRequest(STATE, null)
}

/** The state of a request. */
export const stateOf = (request: FastifyRequest): RequestState => {
  const holder = request as WithState
  holder[STATE] ??= {}
  return holder[STATE]
}

/** What a request is named by, in the log and in figures: its path as routes have it, never as it was sent. None for an unknown one. */
export const patternOf = (request: FastifyRequest): string | undefined =>
  request.is404 ? undefined : (stateOf(request).path ?? request.routeOptions.url)
