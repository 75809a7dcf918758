import type { Caller } from '@almoner/domain'
import type { FastifyRequest } from 'fastify'

/** What is learnt of a request on its way to its route. */
export interface RequestState {
  caller?: Caller
  upload?: Uint8Array | undefined
  /** What the answer says went wrong on our side, for the log. */
  cause?: unknown
}

const states = new WeakMap<object, RequestState>()

/** The state of a request: kept beside it, so that it goes when the request does. */
export const stateOf = (request: FastifyRequest): RequestState => {
  const known = states.get(request.raw)
  if (known !== undefined) return known
  const fresh: RequestState = {}
  states.set(request.raw, fresh)
  return fresh
}
