import { setTimeout as pass } from 'node:timers/promises'
import type { ScriptedResponse } from './answer.ts'
import type { Raw } from './listen.ts'
import { makeScript, type Script, type Scripted } from './script.ts'

/** A request as a provider has read it. */
export interface Read {
  /** What the provider knows the device by; empty where the request does not say. */
  readonly token: string
  readonly headers: Raw['headers']
  /** What the provider has against it: the request breaks the protocol, and its script is not asked. */
  readonly refusal: ScriptedResponse | undefined
}

/** How a provider reads requests, and what it says to those it accepts. */
export interface Protocol<R extends Read> {
  /** The token alone: all that is read of a request that is only counted. */
  tokenOf(raw: Raw): string
  read(raw: Raw): R
  /** @param request undefined where the request is only counted */
  accept(raw: Raw, request?: R): ScriptedResponse
}

/** For load tests: only counts requests, and answers each after this number of milliseconds. */
export interface Counting {
  readonly latency: number
}

/** Where requests of one kind come in. */
export interface Endpoint<R extends Read> extends Script<R> {
  /** All requests so far, refused ones too, in the order they came in; none where they are only counted. */
  readonly requests: ReadonlyArray<R>
  /** How many requests came in for each token, where they are only counted. */
  readonly counts: ReadonlyMap<string, number>
}

export interface OpenEndpoint<R extends Read> extends Endpoint<R> {
  serve(raw: Raw): Promise<ScriptedResponse>
}

/** An endpoint for requests of one protocol; scripts hold for counted requests too. */
export const makeEndpoint = <R extends Read>(protocol: Protocol<R>, counting?: Counting): OpenEndpoint<R> => {
  const { take, ...script } = makeScript<R>()
  const requests: Array<R> = []
  const counts = new Map<string, number>()

  const say = (scripted: Scripted<R>, request: () => R): ScriptedResponse | Promise<ScriptedResponse> =>
    typeof scripted === 'function' ? scripted(request()) : scripted

  const look = async (raw: Raw): Promise<ScriptedResponse> => {
    const request = protocol.read(raw)
    requests.push(request)
    if (request.refusal !== undefined) return request.refusal
    const scripted = take(request.token)
    return scripted === undefined ? protocol.accept(raw, request) : say(scripted, () => request)
  }

  const count = async (raw: Raw, latency: number): Promise<ScriptedResponse> => {
    const token = protocol.tokenOf(raw)
    counts.set(token, (counts.get(token) ?? 0) + 1)
    const scripted = take(token)
    if (latency > 0) await pass(latency)
    return scripted === undefined ? protocol.accept(raw) : say(scripted, () => protocol.read(raw))
  }

  return {
    ...script,
    requests,
    counts,
    serve: counting === undefined ? look : (raw) => count(raw, counting.latency),
  }
}
