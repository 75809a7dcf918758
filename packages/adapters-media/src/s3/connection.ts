import { type ImageFile, imageFileOf, imageFilePath } from '@almoner/domain/ports'
import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3'
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler'

/** What all keys below a prefix begin with. */
export const rootOf = (prefix: string): string => (prefix === '' ? '' : `${prefix}/`)

/**
 * The key of an image, which lies in a bucket as it would in a folder. The type says that it is one; nothing else must ever be asked for.
 */
export const keyOf = (prefix: string, { kind, name }: ImageFile): string => {
  const file = imageFileOf(kind, name)
  if (file === undefined) throw new TypeError('not an image')
  return `${rootOf(prefix)}${imageFilePath(file)}`
}

type Headers = Readonly<Record<string, string | undefined>>

/** Returns the header fields with a date of the object that the SDK can read, or without one. */
const withReadableDate = ({ 'last-modified': date, ...headers }: Headers): Headers => {
  const time = new Date(date ?? '')
  return Number.isNaN(time.getTime()) ? headers : { ...headers, 'last-modified': time.toUTCString() }
}

const hasHeaders = (response: unknown): response is { headers: Headers } =>
  typeof response === 'object' && response !== null && 'headers' in response

/** Makes a client take objects with dates of every form: the SDK rejects responses whose dates have another one than HTTP's. */
const takeAllDates = (client: S3Client): void =>
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request)
      const { response } = result
      if (hasHeaders(response)) response.headers = withReadableDate(response.headers)
      return result
    },
    // Inside of the SDK's own, which reads the response.
    { name: 'takeAllDates', step: 'deserialize', priority: 'low' },
  )

/** A proxy of https requests. */
export interface HttpsProxy {
  /** Its URL, with user and password if it wants them. */
  readonly url: string
  /** The hosts that are reached directly, as NO_PROXY lists them. */
  readonly except: string
}

/** A bucket, or a part of one, that holds images. */
export interface S3Location {
  readonly bucket: string
  /** What all keys begin with, without a slash at its end; empty for the whole bucket. */
  readonly prefix: string
  /** The URL of a store that is not AWS's, with or without a path; its buckets are then named in the path. */
  readonly endpoint: string | undefined
  /** That of the usual AWS variables unless given, or `us-east-1` where there is an endpoint. */
  readonly region: string | undefined
  /** The proxy through which https requests go; none: they are direct. */
  readonly proxy?: HttpsProxy | undefined
}

/** How long a store is waited for, in milliseconds. */
export interface S3Limits {
  /** Until it takes a connection. */
  readonly connect: number
  /** While nothing moves: until it answers, or sends more of an image. */
  readonly silence: number
  /** Until a request is through, its second attempt included. */
  readonly request: number
  /** Until an image is stored. */
  readonly upload: number
}

/** A dead store is found out within ten seconds, and an upload of 10 MiB may take twenty. */
export const LIMITS: S3Limits = { connect: 2000, silence: 4000, request: 8000, upload: 20_000 }

const named = (cause: unknown): { readonly [K in 'name' | 'code' | 'message']?: unknown } =>
  typeof cause === 'object' && cause !== null ? cause : {}

/** A region in the error of a store, which says where the bucket is: AWS in a header field, others in an element or in the message. */
const regionIn = (cause: S3ServiceException): string | undefined =>
  [
    cause.$response?.headers['x-amz-bucket-region'],
    'Region' in cause ? cause.Region : undefined,
    /\bexpecting '([^']+)'/.exec(cause.message)?.[1],
  ]
    .map(String)
    .find((text) => text !== 'undefined' && /^[A-Za-z\d-]{1,63}$/.test(text))

/** Statuses with which stores refuse a wrong region. Other errors of AWS name the bucket's region too, where it is right. */
const OF_REGION: ReadonlyArray<number | undefined> = [301, 307, 400]

const answerOf = (cause: S3ServiceException): string => {
  const { httpStatusCode: status } = cause.$metadata
  const answer = `it answered ${cause.name} (${status ?? 'no status'})`
  const region = OF_REGION.includes(status) ? regionIn(cause) : undefined
  return region === undefined ? answer : `${answer}: the bucket is in the region ${region}`
}

const reasonOf = (cause: unknown): string => {
  if (cause instanceof S3ServiceException) return answerOf(cause)
  const { name, code, message } = named(cause)
  if (name === 'AbortError' || name === 'TimeoutError') return 'it did not answer in time'
  if (name === 'CredentialsProviderError') return 'there are no credentials for it, or they cannot be read'
  if (message === 'Region is missing') return 'its region is not known; ?region= or AWS_REGION can name it'
  return typeof code === 'string' ? `it cannot be reached (${code})` : `it cannot be asked (${String(name)})`
}

/**
 * What went wrong, for the log: the operation and the store's own name for the fault. Nothing else of what the client throws is kept, for
 * that holds addresses, signatures and what they were made from.
 */
const faultOf = (operation: string, cause: unknown): Error =>
  new Error(`the S3 store: ${operation}: ${reasonOf(cause)}`)

/** Whether a fault says that there is no such object. */
export const isMissing = (cause: unknown): boolean =>
  cause instanceof S3ServiceException && ['NotFound', 'NoSuchKey'].includes(cause.name)

/** Resolves to an answer, or to undefined if the store says that there is no such object. */
export const unlessMissing = async <A>(answer: Promise<A>): Promise<A | undefined> => {
  try {
    return await answer
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

/** The clients of a store and how to ask it. */
export interface Connection {
  readonly place: S3Location
  readonly limits: S3Limits
  /** For all but reading images. */
  readonly client: S3Client
  /** For reading images, which takes as long as their readers want: uploads never wait for a connection because of them. */
  readonly reader: S3Client
  readonly close: () => void
}

/** Connections to the store at a time; a request that gets none in time fails like one that gets no answer. */
const SOCKETS = 256

/** A request is tried twice at most: the second is for a connection that the store had closed meanwhile. */
const ATTEMPTS = 2

const silent = () => {}
const NO_LOG = { debug: silent, info: silent, warn: silent, error: silent, trace: silent }

const regionOf = ({ endpoint, region }: S3Location): Pick<S3ClientConfig, 'region'> => {
  if (region !== undefined) return { region }
  return endpoint === undefined ? {} : { region: process.env['AWS_REGION'] ?? 'us-east-1' }
}

/** Options of an agent of Node, which asks for tunnels itself from 22.21 on. */
const throughProxy = ({ proxy }: S3Location) =>
  proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy.url, NO_PROXY: proxy.except } }

/** How long a client waits: uploads send all the while, and images that are not being read stand still because of their readers. */
type Timeouts = Pick<NodeHttpHandlerOptions, 'socketTimeout' | 'requestTimeout' | 'throwOnRequestTimeout'>

const newClient = (place: S3Location, { connect }: S3Limits, timeouts: Timeouts): S3Client =>
  new S3Client({
    ...regionOf(place),
    ...(place.endpoint === undefined ? {} : { endpoint: place.endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    // Sends bodies at once: waiting for "100 Continue" would add a time limit without a setting.
    expectContinueHeader: false,
    // Content-MD5, which every store knows, takes the place of the newer checksums, which some refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: NO_LOG,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: connect,
      ...timeouts,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS, ...throughProxy(place) },
      logger: NO_LOG,
    }),
  })

/** Makes the clients. Nothing is asked yet. */
export const connectionTo = (place: S3Location, limits: S3Limits): Connection => {
  const { silence } = limits
  const client = newClient(place, limits, { socketTimeout: silence })
  const untilItAnswers = { requestTimeout: silence, throwOnRequestTimeout: true }
  const reader = newClient(place, limits, { socketTimeout: 0, ...untilItAnswers })
  for (const one of [client, reader]) takeAllDates(one)
  return {
    place,
    limits,
    client,
    reader,
    close: () => {
      client.destroy()
      reader.destroy()
    },
  }
}

/**
 * Sends one request to the store.
 * @param operation the name of the operation in errors
 * @param limit milliseconds after which the request is aborted, retries included
 * @param work receives the signal to abort
 */
export const ask = async <A>(
  operation: string,
  limit: number,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<A> => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limit)
  try {
    return await work(controller.signal)
  } catch (cause) {
    throw faultOf(operation, cause)
  } finally {
    clearTimeout(timer)
  }
}
