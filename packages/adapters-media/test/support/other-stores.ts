import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Forms in which a store writes the date of an object; none: it leaves it out. */
export const DATES = ['RFC 9110', 'RFC 850', 'offset', 'ISO 8601', 'none'] as const
type DateForm = (typeof DATES)[number]

type Refusal = readonly [status: number, headers: Readonly<Record<string, string>>, body: string]

/** How a store answers. */
export interface Ways {
  /** The path of its endpoint. */
  readonly path: string
  /** The only bucket, by the name that a client has for it. */
  readonly bucket: string
  /** The only region in which requests are taken; undefined: any. */
  readonly region: string | undefined
  /** What it answers to another region. */
  readonly wrongRegion: Refusal
  /** Milliseconds by which its clock is ahead of this machine's. */
  readonly ahead: number
  /** Whether responses have a Date. */
  readonly hasDate: boolean
  /** Header fields of HEAD and of GET. */
  readonly head: { readonly length: 'right' | 'zero' | 'none'; readonly date: DateForm }
  readonly get: { readonly length: 'right' | 'none'; readonly date: DateForm }
  /** Whether it heeds the range of a request. */
  readonly hasRanges: boolean
  /** The method that it refuses for objects; empty: none. */
  readonly refused: string
  /** Objects of a page. */
  readonly page: number
  /** Whether listings say whether they end here. */
  readonly saysTruncated: boolean
  /** The token of the page that begins at this object; undefined: none. */
  readonly token: (next: number) => string | undefined
  /** The status of deleting a missing object. */
  readonly deletedTwice: 204 | 200 | 404
}

/** A store as AWS has it. */
export const USUAL: Ways = {
  path: '',
  bucket: 'bucket',
  region: undefined,
  wrongRegion: [400, {}, ''],
  ahead: 0,
  hasDate: true,
  head: { length: 'right', date: 'RFC 9110' },
  get: { length: 'right', date: 'RFC 9110' },
  hasRanges: true,
  refused: '',
  page: 1000,
  saysTruncated: true,
  token: String,
  deletedTwice: 204,
}

/** Requests may be signed by clocks that differ by this number of milliseconds. */
const TOLERANCE = 15 * 60_000

const two = (number: number): string => String(number).padStart(2, '0')

const dateIn = (form: DateForm, at: number): string | undefined => {
  const date = new Date(at)
  const usual = date.toUTCString()
  const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) \d\d(\d\d) (\S+)/.exec(usual) ?? []
  const full = {
    Sun: 'Sunday',
    Mon: 'Monday',
    Tue: 'Tuesday',
    Wed: 'Wednesday',
    Thu: 'Thursday',
    Fri: 'Friday',
    Sat: 'Saturday',
  }
  switch (form) {
    case 'RFC 9110':
      return usual
    case 'RFC 850':
      return `${full[weekday as keyof typeof full]}, ${two(Number(day))}-${month}-${year} ${time} GMT`
    case 'offset':
      return usual.replace('GMT', '+0000')
    case 'ISO 8601':
      return date.toISOString()
    case 'none':
      return undefined
  }
}

const xml = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`
const errorOf = (code: string): string => xml('Error', `<Code>${code}</Code><Message>${code}</Message>`)

/** Returns the time in a signature, in epoch milliseconds. */
export const timeOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** When and for which region a request is signed, and until when it holds. */
const signatureOf = ({ headers }: IncomingMessage, query: URLSearchParams) => {
  const scope =
    query.get('X-Amz-Credential') ?? /Credential=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const at = timeOf(query.get('X-Amz-Date') ?? String(headers['x-amz-date']))
  const seconds = query.get('X-Amz-Expires')
  return {
    region: scope.split('/')[2],
    at,
    until: seconds === null ? at + TOLERANCE : at + Number(seconds) * 1000,
  }
}

interface StoredObject {
  readonly bytes: Buffer
  /** Epoch milliseconds by the store's clock. */
  readonly at: number
}

/** Returns the bytes of a range, if one is asked for, and its Content-Range. */
const partOf = (bytes: Buffer, asked: string | undefined) => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(asked ?? '') ?? []
  if (first === undefined) return { part: bytes, range: undefined }
  const part = bytes.subarray(Number(first), Number(last) + 1)
  return { part, range: `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}` }
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  readonly key: string
}

/** A store on loopback. */
export interface OtherStore {
  readonly endpoint: string
  /** The requests that came, as `METHOD path`. */
  readonly seen: ReadonlyArray<string>
  readonly objects: Map<string, StoredObject>
  readonly stop: () => Promise<void>
}

/** Starts a store that answers in these ways, which may change. It looks at paths, regions and times of signatures, not at the signatures. */
export const startOtherStore = async (ways: Ways): Promise<OtherStore> => {
  const objects: OtherStore['objects'] = new Map()
  const seen: Array<string> = []
  const now = () => Date.now() + ways.ahead
  const root = `${ways.path}/${ways.bucket}/`

  const list = (query: URLSearchParams): string => {
    const prefix = query.get('prefix') ?? ''
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/'))
      .sort()
    const from = Number(/\d+$/.exec(query.get('continuation-token') ?? '0')?.[0])
    const end = from + Math.min(ways.page, Number(query.get('max-keys') ?? 1000))
    const isTruncated = end < keys.length
    const token = isTruncated ? ways.token(end) : undefined
    const contents = keys.slice(from, end).map((key) => {
      const { at, bytes } = objects.get(key) ?? { at: 0, bytes: Buffer.of() }
      return `<Contents><Key>${key}</Key><LastModified>${new Date(at).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    return xml(
      'ListBucketResult',
      [
        ...(ways.saysTruncated ? [`<IsTruncated>${isTruncated}</IsTruncated>`] : []),
        ...(token === undefined ? [] : [`<NextContinuationToken>${token}</NextContinuationToken>`]),
        ...contents,
      ].join(''),
    )
  }

  /** Sets the header fields of an object, or of a part of it, and returns the bytes to send. */
  const describe = (
    request: IncomingMessage,
    response: ServerResponse,
    { bytes, at }: StoredObject,
  ): Buffer => {
    const { length, date } = ways[request.method === 'HEAD' ? 'head' : 'get']
    const { part, range } = partOf(bytes, ways.hasRanges ? request.headers.range : undefined)
    const fields = {
      'Last-Modified': dateIn(date, at),
      'Content-Length': { right: part.length, zero: 0, none: undefined }[length],
      'Content-Range': range,
    }
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) response.setHeader(name, value)
    if (range !== undefined) response.statusCode = 206
    return part
  }

  const methods: Readonly<Record<string, (call: Call) => void>> = {
    PUT: ({ request, response, key, body }) => {
      if (request.headers['if-none-match'] === '*' && objects.has(key)) {
        response.writeHead(412).end(errorOf('PreconditionFailed'))
        return
      }
      objects.set(key, { bytes: body, at: Math.floor(now() / 1000) * 1000 })
      response.end()
    },
    DELETE: ({ response, key }) => {
      const status = objects.delete(key) ? 204 : ways.deletedTwice
      response.writeHead(status).end(status === 404 ? errorOf('NoSuchKey') : '')
    },
    HEAD: ({ request, response, key }) => {
      const found = objects.get(key)
      if (found === undefined) response.statusCode = 404
      else describe(request, response, found)
      response.end()
    },
    GET: ({ request, response, key }) => {
      const found = objects.get(key)
      if (found === undefined) {
        response.writeHead(404).end(errorOf('NoSuchKey'))
        return
      }
      const part = describe(request, response, found)
      // In two pieces, so that Node does not count them.
      response.write(part.subarray(0, 1), () => response.end(part.subarray(1)))
    },
  }

  /** Returns the answer to a request that is not taken. */
  const refusalOf = (request: IncomingMessage, path: string, query: URLSearchParams): Refusal | undefined => {
    const { region, at, until } = signatureOf(request, query)
    const refusals: ReadonlyArray<readonly [boolean, Refusal]> = [
      [ways.region !== undefined && region !== ways.region, ways.wrongRegion],
      [at > now() + TOLERANCE || until < now(), [403, {}, errorOf('RequestTimeTooSkewed')]],
      [!path.startsWith(root), [404, {}, errorOf('NoSuchBucket')]],
      [request.method === ways.refused && path !== root, [403, {}, errorOf('AccessDenied')]],
    ]
    return refusals.find(([isRefused]) => isRefused)?.[1]
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store')
    seen.push(`${request.method} ${pathname}`)
    const body = await buffer(request)
    const path = decodeURIComponent(pathname)
    if (ways.hasDate) response.setHeader('Date', new Date(now()).toUTCString())
    else response.sendDate = false
    const refusal = refusalOf(request, path, searchParams)
    if (refusal !== undefined) {
      const [status, headers, text] = refusal
      response.writeHead(status, headers).end(text)
    } else if (searchParams.has('list-type')) response.end(list(searchParams))
    else methods[request.method ?? '']?.({ request, response, body, key: path.slice(root.length) })
  }

  const server = createServer((request, response) => void answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}${ways.path}`,
    seen,
    objects,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
