import { ApiError, type Credentials, type OAuth, oauthOf } from './oauth.ts'
import type {
  ApiPaths,
  Arguments,
  Asked,
  DataOf,
  ElementOf,
  ImageUrlOf,
  Method,
  Operation,
  PagedPath,
  PathOf,
  UploadPath,
} from './operations.ts'
import { etagIn, filledPath, KEY_HEADER, newKey, nextQuery, patient, retryAfterOf } from './requests.ts'
import {
  type AccessToken,
  authorized,
  keepToken,
  machineTime,
  PATIENCE,
  type Send,
  type Time,
  within,
} from './tokens.ts'

interface CommonOptions {
  /** Where the service is, with or without a slash at its end: its base URL. */
  readonly baseUrl: string
  /** What sends requests in the place of the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** Seconds that a call may wait in all because the service is busy and says when to come back; 90 unless given. */
  readonly maxWait?: number | undefined
}

/** The default of `maxWait`, in seconds. A client that guessed wrong secrets is blocked for a minute (A8). */
const MAX_WAIT = 90

/** Where the service is, and where access to it comes from. */
export type ClientOptions = CommonOptions &
  (
    | {
        /** What the client gets its tokens with, on a server. */
        readonly credentials: Credentials
      }
    | {
        /** Gives a token when one is needed: in a page, from a server of one's own that has the credentials. It has half a minute. */
        readonly token: (signal: AbortSignal) => Promise<AccessToken>
      }
    | {
        /** Sends no token: the browser's session cookie gives access, as under `/console/api`. */
        readonly session: true
      }
  )

/** What the service answered. */
export interface Answer<Data> {
  /** The body, read as JSON; undefined where it is empty. */
  readonly data: Data
  /** What the item is now, where the answer says so: for `ifMatch` (C10). The same text through every proxy (C13). */
  readonly etag: string | undefined
  /** All headers; a page sees the ones that the service exposes. */
  readonly headers: Headers
}

/** Calls a method at a path of the document. Rejects with an `ApiError` or a `TokenError`, or as `fetch` does. */
export type Call<M extends Method, Paths = ApiPaths> = <P extends PathOf<M, Paths>>(
  path: P,
  ...asked: Arguments<Asked<Operation<M, P, Paths>>>
) => Promise<Answer<DataOf<Operation<M, P, Paths>>>>

/**
 * A client of the service. It gets a token when it first needs one, renews it before it ends, and once when it is refused; it waits and
 * tries again when the service is busy and says for how long, until `maxWait` or the `signal` of the call ends this. Every POST has an
 * `Idempotency-Key`, so that it is also sent again, twice at most, when its answer is lost, and is done once all the same (I4). `Paths` is the document that types it: that of the API unless given.
 */
export interface Client<Paths = ApiPaths> {
  /** Reads. A collection without `lim` comes whole, as one snapshot (C12). */
  readonly get: Call<'get', Paths>
  /** Creates, updates, attaches. The body goes as JSON. */
  readonly post: Call<'post', Paths>
  /** Sets. The body goes as JSON. */
  readonly put: Call<'put', Paths>
  /** Removes, detaches. */
  readonly delete: Call<'delete', Paths>
  /**
   * Walks a collection from page to page, each of `lim` elements or, unless that is given, of a hundred, and gives the elements without
   * their wrappings (C11). Throws as calls reject.
   */
  readonly walk: <P extends PagedPath<Paths>>(
    path: P,
    ...asked: Arguments<Asked<Operation<'get', P, Paths>>>
  ) => AsyncGenerator<ElementOf<P, Paths>, void, undefined>
  /**
   * Uploads an image, JPEG or PNG, of at most 10 MiB (D1), and resolves with its URL. The service returns none for a publication, which is
   * therefore read afterwards: `etag` is then that of the publication with its new image. Rejects as calls do.
   */
  readonly upload: <P extends UploadPath<Paths>>(
    path: P,
    asked: Asked<Operation<'post', P, Paths>> & { readonly file: Blob | Uint8Array },
  ) => Promise<Answer<ImageUrlOf<P, Paths>>>
  /**
   * Ends the life of the token at hand, if there is one; where tokens are given by a function, the token is only forgotten. The next call
   * gets a new one. Does nothing with `session: true`. Rejects with a `TokenError`.
   */
  readonly signOut: () => Promise<void>
}

/** What any call may be asked with, once its types have done their work. */
interface AnyAsked {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly file?: Blob | Uint8Array
  readonly ifMatch?: string
  readonly idempotencyKey?: string
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** The form of an upload. The name of the caller's file is its own business. */
const formOf = (file: Blob | Uint8Array): FormData => {
  const form = new FormData()
  form.set('itemUploadMedia', file instanceof Blob ? file : new Blob([file.slice()]))
  return form
}

const queryOf = (query: AnyAsked['query'] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return given.length === 0 ? '' : `?${text}`
}

const requestOf = (baseUrl: string, method: Method, path: string, asked: AnyAsked): Request => {
  const { body, file, ifMatch, idempotencyKey, wait, signal } = asked
  const headers = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(wait !== undefined && { Prefer: `wait=${wait}` }),
    ...(method === 'post' && { [KEY_HEADER]: idempotencyKey ?? newKey() }),
  }
  return new Request(`${baseUrl}${filledPath(path, asked.path ?? {})}${queryOf(asked.query)}`, {
    method: method.toUpperCase(),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file !== undefined && { body: formOf(file) }),
    ...(signal && { signal }),
  })
}

/** Reads a body as JSON; undefined where it is empty. A failed answer may come from a proxy, as any text. */
const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    if (response.ok) throw cause
    return text
  }
}

const PAGE = 100

/** Returns the elements of a collection: 1 and 2 for `{"items":[{"item":1},{"item":2}]}`, with any keys. */
const elementsOf = (collection: unknown): ReadonlyArray<unknown> => {
  const [list] = Object.values(Object(collection)) as ReadonlyArray<ReadonlyArray<object>>
  return (list ?? []).map((element) => Object.values(element)[0])
}

const maxWaitOf = ({ maxWait = MAX_WAIT }: CommonOptions): number => maxWait * 1000

type TokenOptions = Exclude<ClientOptions, { readonly session: true }>

/** Where tokens come from, and how they end. */
const accessOf = (options: TokenOptions, baseUrl: string, send: Send, { now }: Time): OAuth =>
  'token' in options
    ? { obtain: options.token, revoke: async () => {} }
    : oauthOf(baseUrl, options.credentials, send, now)

/** How requests get access, and how it is given up. */
const signedIn = (options: ClientOptions, baseUrl: string, send: Send, time: Time) => {
  if ('session' in options) return { send, signOut: async () => {} }
  const access = accessOf(options, baseUrl, send, time)
  // A token endpoint that is busy may be waited for; a function of the caller's has the time that its type states.
  const patience = 'token' in options ? PATIENCE : PATIENCE + maxWaitOf(options)
  const tokens = keepToken(access.obtain, time.now, patience)
  const signOut = async () => {
    const token = tokens.take()
    if (token !== undefined) await access.revoke(token)
  }
  return { send: authorized(send, tokens), signOut }
}

/** A client with its time, which is the machine's but in tests. */
export const makeClient = <Paths = ApiPaths>(options: ClientOptions, time: Time): Client<Paths> => {
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const send = patient(options.fetch ?? ((request) => fetch(request)), time, maxWaitOf(options))
  const access = signedIn(options, baseUrl, send, time)

  const callNow = async (method: Method, path: string, asked: AnyAsked): Promise<Answer<unknown>> => {
    const response = await access.send(requestOf(baseUrl, method, path, asked))
    const { ok, status, headers } = response
    const body = await bodyOf(response)
    if (!ok) throw new ApiError({ status, retryAfter: retryAfterOf(response, time.now()) }, body)
    return { data: body, etag: etagIn(headers), headers }
  }

  /** A connection that has died silently is never reported, and an answer that is held back is expected to take long. */
  const call = (method: Method, path: string, asked: AnyAsked): Promise<Answer<unknown>> =>
    asked.wait === undefined
      ? callNow(method, path, asked)
      : within(asked.wait * 1000 + maxWaitOf(options) + PATIENCE, asked.signal, (signal) =>
          callNow(method, path, { ...asked, signal }),
        )

  const upload = async (path: string, asked: AnyAsked): Promise<Answer<unknown>> => {
    const uploaded = await call('post', path, asked)
    if (uploaded.data !== undefined) return uploaded
    const { path: { itemId, image } = {}, signal } = asked
    try {
      const { data, etag } = await call('get', '/library/{itemId}', {
        path: { itemId },
        ...(signal && { signal }),
      })
      const [item] = elementsOf(data) as ReadonlyArray<Readonly<Record<string, unknown>>>
      return { ...uploaded, data: item?.[`${image}ImgUrl`], etag }
    } catch {
      // The image is stored, so the upload has not failed.
      return uploaded
    }
  }

  async function* walk(path: string, asked: AnyAsked) {
    let query: AnyAsked['query'] = { lim: PAGE, ...asked.query }
    while (query !== undefined) {
      const { data, headers } = await call('get', path, { ...asked, query })
      yield* elementsOf(data)
      query = nextQuery(headers)
    }
  }

  const calls = {
    get: (path: string, asked: AnyAsked = {}) => call('get', path, asked),
    post: (path: string, asked: AnyAsked = {}) => call('post', path, asked),
    put: (path: string, asked: AnyAsked = {}) => call('put', path, asked),
    delete: (path: string, asked: AnyAsked = {}) => call('delete', path, asked),
    upload,
    walk: (path: string, asked: AnyAsked = {}) => walk(path, asked),
    signOut: access.signOut,
  }
  // The document's types say what each path takes and gives; what runs is the same for all.
  return calls as unknown as Client<Paths>
}

/**
 * A client of the service at `baseUrl`, for Node and browsers. Nothing is sent before the first call.
 * @example const api = createClient({ baseUrl, credentials: { clientId, clientSecret } })
 * @example const console = createClient<ConsolePaths>({ baseUrl: '/console/api', session: true })
 */
export const createClient = <Paths = ApiPaths>(options: ClientOptions): Client<Paths> =>
  makeClient<Paths>(options, machineTime)
