import type { Parameters, RawParameters } from '@almoner/domain'
import {
  type Caller,
  decode,
  type Expectation,
  type FieldFault,
  fault,
  type IdempotencyKey,
  type Invalid,
  invalid,
  type Operation,
  REQUIRED,
  type Receipt,
  type Scope,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { digestOf } from './idempotency/digest.ts'
import { readKey } from './idempotency/key.ts'
import type { Problem } from './problems/problem.ts'
import { type Failure, problemOf } from './problems/problem-of-failure.ts'
import type { Answer } from './responses/route-response.ts'
import type { Services } from './services.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The methods whose parameters come in a body (B1). */
export const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT'])

/** What a request brings besides its parameters. */
export interface Ask {
  readonly caller: Caller
  readonly raw: RawParameters
  readonly expected: Expectation
  /** The bytes of the upload, if one came. */
  readonly upload: Uint8Array | undefined
  /** What of the head matters to the `Idempotency-Key` of a POST (I4). */
  readonly head: {
    readonly key: string | undefined
    readonly ifMatch: string | undefined
    readonly query: RawParameters
  }
}

/** A request whose parameters are decoded. */
export interface Asking extends Ask {
  /** Makes the receipt of a write that is answered so; none where the request has no key (I4). */
  readonly receipt: <A>(answer: (result: A) => Answer) => Receipt<A> | undefined
}

/** How an upload's file part is found: by its name, or the first of all (D1). */
export type UploadRule = 'named' | 'first'

/** What an answer holds, for the OpenAPI document. */
export type AnswerShape =
  | { readonly kind: 'one'; readonly codec: t.Mixed }
  /** `{"<key>":[…]}`, the codec being that of an element. */
  | { readonly kind: 'collection'; readonly key: string; readonly codec: t.Mixed; readonly paged: boolean }
  | { readonly kind: 'empty' }

/** Shapes are read by more than the server; their type parameters matter to none of the readers. */
// biome-ignore lint/suspicious/noExplicitAny: any shape of parameters, as t.Mixed is any codec
export type AnyParameters = Parameters<any, any>

/** What is known of every route without calling it. */
export interface RouteDescription {
  readonly method: Method
  /** As Fastify writes it: `/library/:itemId`. */
  readonly path: string
  readonly operation: string
  readonly summary: string
  readonly tag: string
  readonly access: Scope
  readonly parameters: AnyParameters
  readonly upload?: UploadRule
  readonly answer: AnswerShape
  /** Whether the answer to all callers of the same scopes and roles is the same until something is written. */
  readonly shared?: true
  /** Whether the answer carries an ETag, and whether a write heeds If-Match (C10). */
  readonly tagged?: true
  readonly guarded?: true
  /** Other answers than success that are this route's own. */
  readonly faults: ReadonlyArray<number>
}

/** A route of the API: a value that the server, the OpenAPI document and the command line read. */
export interface Route extends RouteDescription {
  /** Decodes what was asked, runs the use case and encodes its answer. */
  readonly run: (services: Services) => (ask: Ask) => TE.TaskEither<Problem, Answer>
}

interface Spec<P extends AnyParameters>
  extends Omit<RouteDescription, 'access' | 'operation' | 'parameters'> {
  readonly name: string
  readonly access: Operation
  readonly parameters: P
  readonly handle: (
    services: Services,
  ) => (ask: Asking, parameters: t.TypeOf<P>) => TE.TaskEither<Failure, Answer>
  /** What else is wrong with a request that is refused, beyond what its codec, or the rule that refused it, can know (I1). */
  readonly alsoUnmet?: (
    services: Services,
  ) => (caller: Caller, raw: RawParameters) => TE.TaskEither<Failure, ReadonlyArray<FieldFault>>
}

/** The faults of a refused request together with those that its codec could not know, one a field. */
const withUnmet = ({ faults }: Invalid, unmet: ReadonlyArray<FieldFault>): Invalid => {
  const named = new Set(faults.map(({ field }) => field))
  const [first, ...rest] = faults
  return invalid([first, ...rest, ...unmet.filter(({ field }) => !named.has(field))])
}

/** Joins what is wrong with parameters and key: one answer names it all (I1). */
const refusalOf = (...parts: ReadonlyArray<E.Either<Invalid, unknown>>): Invalid => {
  const faults = parts.flatMap((part) => (E.isLeft(part) ? part.left.faults : []))
  const [first = fault('', 'is not valid'), ...others] = faults
  return invalid([first, ...others])
}

/** Makes a route of its parts: decodes the parameters with the route's codec and calls the use case. */
export const route = <P extends AnyParameters>({
  name,
  handle,
  access,
  alsoUnmet,
  ...rest
}: Spec<P>): Route => ({
  ...rest,
  operation: name,
  access: REQUIRED[access],
  run: (services) => {
    const handler = handle(services)
    const read = decode<t.TypeOf<P>>(rest.parameters)
    const unmet = alsoUnmet?.(services) ?? (() => TE.right([]))
    const refuse = ({ caller, raw }: Ask, refusal: Invalid): TE.TaskEither<Failure, never> =>
      pipe(
        unmet(caller, raw),
        TE.flatMap((more) => TE.left(withUnmet(refusal, more))),
      )
    const failed = (ask: Ask, failure: Failure): TE.TaskEither<Problem, Answer> =>
      failure._tag === 'Invalid' ? TE.mapError(problemOf)(refuse(ask, failure)) : TE.left(problemOf(failure))
    /** Runs the handler, once for all requests with the same key. */
    const work = (
      ask: Ask,
      parameters: t.TypeOf<P>,
      key: IdempotencyKey | undefined,
    ): TE.TaskEither<Failure, Answer> => {
      if (key === undefined) return handler({ ...ask, receipt: () => undefined }, parameters)
      const { method, path } = rest
      const { query, ifMatch } = ask.head
      const digest = digestOf({ method, path, query, ifMatch, parameters, upload: ask.upload })
      const request = { clientId: ask.caller.clientId, key, digest, at: services.clock.now() }
      return services.once(request, (receipt) => handler({ ...ask, receipt }, parameters))
    }
    const keyOf = (ask: Ask) => (rest.method === 'POST' ? readKey(ask.head.key) : E.right(undefined))
    return (ask) => async () => {
      const [parameters, key] = [read(ask.raw), keyOf(ask)]
      if (E.isLeft(parameters) || E.isLeft(key)) return failed(ask, refusalOf(parameters, key))()
      const outcome = await work(ask, parameters.right, key.right)()
      return E.isLeft(outcome) ? failed(ask, outcome.left)() : outcome
    }
  },
})
