import type { IncomingMessage } from 'node:http'
import { type Admitted, type Caller, type InvalidToken, permit, type Unavailable } from '@almoner/domain'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Lookups } from '../../metrics/cache-lookups.ts'
import type { Problem } from '../../problems/problem.ts'
import { authorizationsOf } from '../../request/token.ts'
import { stateOf } from '../../request-context.ts'
import { ownBytes } from '../../responses/copy-out-of-pool.ts'
import type { ReadyAnswer, StreamedAnswer } from '../../responses/render.ts'
import type { Services } from '../../services.ts'
import { type Door, type KeepingOptions, type KeptCallers, makeKept } from './generations.ts'

/** What comes of a request. */
export type Outcome = E.Either<Problem, ReadyAnswer | StreamedAnswer>

/** Keeps answers for as long as nothing is written, and who is behind a token for as long as nothing but content is. */
export interface Keeping {
  /** Looks whether the same has been asked with the same token. */
  readonly find: (request: IncomingMessage) => Door | undefined
  /** Lets a request that comes again be answered as this one was. */
  readonly open: (request: FastifyRequest, door: Door) => void
  /** The caller behind a token, where it is known without waiting. */
  readonly callerOf: (request: FastifyRequest, token: string) => Admitted | undefined
  /** The caller behind a token, as {@link Services}' own. */
  readonly authenticate: (
    request: FastifyRequest,
  ) => (token: string) => TE.TaskEither<InvalidToken | Unavailable, Admitted>
  /**
   * The answer to a request whose caller is known, made once for all callers of a kind.
   * @param name gives what distinguishes it from all others
   */
  readonly share: (
    request: FastifyRequest,
    name: () => string,
    make: () => Promise<Outcome>,
  ) => Promise<Outcome>
  /**
   * Clears the cache if a refused caller may write what is cached: it acted on old data and must not be served that again. Resolves once
   * the cache is cleared; callers within {@link CLEAR_INTERVAL} milliseconds share one clearing. Does nothing for other callers, who
   * could otherwise keep the cache empty by asking for what does not exist.
   */
  readonly forget: (caller: Caller) => Promise<void>
}

/** Milliseconds between two clearings of the cache, at least. */
const CLEAR_INTERVAL = 10

/** Tokens whose callers are kept. */
const CALLERS = 10_000

/** Bytes that an entry takes beside its key and its body, about. */
const ENTRY = 800

const sizeOf = (key: string): number => 2 * key.length + ENTRY

/** Callers of a kind see the same: what they see depends on their scopes and roles alone. */
const kindOf = ({ scopes, roles }: Caller): string => [...scopes, '', ...roles].join(' ')

/** What a request for a kept answer is known by; none for one that shows several tokens (A5). */
const doorKey = (request: IncomingMessage): string | undefined => {
  const { url = '', headers } = request
  const [one = '', other] = authorizationsOf(request)
  if (other !== undefined) return undefined
  // No address holds a line feed. A text that is put together has to be hashed as a whole, each time.
  return one === '' && headers.origin === undefined ? url : `${url}\n${one}\n${headers.origin ?? ''}`
}

const readyOf = (outcome: Outcome): ReadyAnswer | undefined =>
  E.isRight(outcome) && outcome.right.kind === 'ready' ? outcome.right : undefined

/** It is held longer than what is made beside it. */
const toBeKept = (answer: ReadyAnswer | StreamedAnswer): ReadyAnswer | StreamedAnswer =>
  answer.kind === 'ready' ? { ...answer, body: ownBytes(answer.body) } : answer

/** What comes of a promise, or undefined where nothing does: whoever waits for what another began then begins anew. */
const orNothing = <A, B>(promise: Promise<A>, of: (value: A) => B | undefined): Promise<B | undefined> =>
  promise.then(of, () => undefined)

/** Keeps nothing. */
export const keepNothing = ({ authenticate }: Pick<Services, 'authenticate'>): Keeping => ({
  find: () => undefined,
  open: () => {},
  callerOf: () => undefined,
  authenticate: () => authenticate,
  share: (_request, _name, make) => make(),
  forget: async () => {},
})

/** Keeps in memory, within bounds. `lookups` is raised with each answer that is looked for. */
export const keepAnswers = (
  { authenticate, clock, timer }: Pick<Services, 'authenticate' | 'clock' | 'timer'>,
  options: KeepingOptions,
  lookups: Lookups,
): Keeping => {
  const { present, callers, forget } = makeKept(options, clock.now)

  let clearing: Promise<void> | undefined
  const clear = async (): Promise<void> => {
    await timer.wait(CLEAR_INTERVAL)()
    clearing = undefined
    forget()
  }

  const isInTime = ({ expiresAt }: Admitted): boolean => clock.now() < expiresAt

  /** Looks a token up for all who wait for it. */
  const look = async (
    kept: KeptCallers,
    token: string,
  ): Promise<E.Either<InvalidToken | Unavailable, Admitted>> => {
    const found = authenticate(token)()
    // Under a flood of tokens that nobody knows, those of others are looked up again now and then.
    if (kept.size >= CALLERS) kept.clear()
    const callerIn = orNothing(found, (result) => (E.isRight(result) ? result.right : undefined))
    kept.set(token, callerIn)
    const result = await found
    if (E.isLeft(result)) kept.delete(token)
    else kept.set(token, result.right)
    return result
  }

  return {
    find: (request) => {
      const key = doorKey(request)
      const door = key === undefined ? undefined : present().doors.get(key)
      return door !== undefined && isInTime(door.caller) ? door : undefined
    },

    open: (request, door) => {
      const { kept } = stateOf(request)
      const key = doorKey(request.raw)
      if (kept === undefined || key === undefined) return
      kept.doors.set(key, door)
      kept.add(sizeOf(key))
    },

    callerOf: (request, token) => {
      // The data version first: a caller disabled between the two reads must not get answers cached under the newer version.
      const kept = present()
      const known = callers().get(token)
      if (known === undefined || known instanceof Promise || !isInTime(known)) return undefined
      stateOf(request).kept = kept
      return known
    },

    authenticate: (request) => (token) => async () => {
      stateOf(request).kept = present()
      const kept = callers()
      const known = await kept.get(token)
      return known !== undefined && isInTime(known) ? E.right(known) : look(kept, token)
    },

    forget: async (caller) => {
      if (E.isLeft(permit('content-manager')(caller))) return
      clearing ??= clear()
      await clearing
    },

    share: async (request, name, make) => {
      const state = stateOf(request)
      const { kept, caller } = state
      if (kept === undefined || caller === undefined || options.bytes === 0) return make()
      const key = `${kindOf(caller)}\n${name()}`
      const known = await kept.answers.get(key)
      if (known !== undefined) {
        lookups.kept += 1
        state.shared = known
        return E.right(known)
      }
      lookups.made += 1
      const made = make().then(E.map(toBeKept))
      kept.answers.set(key, orNothing(made, readyOf))
      kept.add(sizeOf(key))
      const outcome = await made
      const answer = readyOf(outcome)
      if (answer === undefined) kept.answers.delete(key)
      else {
        kept.add(answer.body.length)
        state.shared = answer
      }
      return outcome
    },
  }
}
