import type { ScriptedResponse } from './answer.ts'

/** An answer, or what makes one of the request; a promise keeps the request waiting. */
export type Scripted<R> = ScriptedResponse | ((request: R) => ScriptedResponse | Promise<ScriptedResponse>)

/**
 * What a server says to requests that the protocol has nothing against. A token is what the provider knows a device by: FCM the
 * token or installation id, APNs the device token, Web Push the endpoint.
 */
export interface Script<R> {
  /** The answers to the next requests for a token, one after the other; then what holds otherwise. */
  next(token: string, ...answers: ReadonlyArray<Scripted<R>>): void
  /** The answer to every request for a token that has no next answer. */
  always(token: string, answer: Scripted<R>): void
  /** The answer to every request that nothing else is said about; undefined: the request is accepted, as at first. */
  otherwise(answer: Scripted<R> | undefined): void
}

export interface WrittenScript<R> extends Script<R> {
  /** The answer to a request for this token, which is used up if it was a next one. */
  take(token: string): Scripted<R> | undefined
}

/** A script that says nothing yet. */
export const makeScript = <R>(): WrittenScript<R> => {
  const coming = new Map<string, Array<Scripted<R>>>()
  const standing = new Map<string, Scripted<R>>()
  let rest: Scripted<R> | undefined
  return {
    next: (token, ...answers) => {
      coming.set(token, [...(coming.get(token) ?? []), ...answers])
    },
    always: (token, answer) => {
      standing.set(token, answer)
    },
    otherwise: (answer) => {
      rest = answer
    },
    take: (token) => coming.get(token)?.shift() ?? standing.get(token) ?? rest,
  }
}
