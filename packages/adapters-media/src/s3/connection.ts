import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler'
import { faultOf } from './fault.ts'
import type { S3Limits, S3Location } from './location.ts'
import { takeAllDates } from './readable-dates.ts'

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
