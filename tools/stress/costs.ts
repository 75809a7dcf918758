// Searches for the most expensive request per byte: random shapes of input on every route, with and without a token.
// Usage: node tools/stress/costs.ts [--rounds 2000] [--seed 1]
import { connect } from 'node:net'
import fc from 'fast-check'
import { CONSOLE_ROUTES } from '../../packages/adapters-http/src/console/index.ts'
import { ROUTE_LIST } from '../../packages/adapters-http/src/index.ts'
import { startHelper } from '../bench/processes.ts'
import { check, options, progress, report } from './campaign.ts'
import { type Shape, shapes } from './cost-shapes.ts'

const { rounds, seed } = options({ rounds: 2000, seed: 1 })

/** How a request is repeated: the best of its measurements counts, because the machine is shared. */
const REPEATS = 3
const MORE_REPEATS = 40

/** Requests that are sent before any is measured. */
const WARMING = 1000

/** Bodies that are held back together, to measure the memory of one. */
const HELD = 8

/** Pages of the console that ask many questions at once may take this many milliseconds: the findings for operators, and the desk. */
const SUMMARIES = { paths: ['/console/api/findings', '/console/api/desk'], busy: 8 }

/** A request and its answer may cost the event loop 2 ms and 0.1 µs a byte, in pieces of 20 ms, and 4 MB and 30 bytes a byte of memory. */
const mayTake = (path: string, bytes: number) => ({
  busy: (SUMMARIES.paths.includes(path) ? SUMMARIES.busy : 2) + bytes / 10_000,
  piece: 20,
  memory: 4e6 + 30 * bytes,
})

interface Described {
  readonly url: string
  readonly token: string
  readonly cookie: string
  readonly page: Readonly<Record<string, string>>
  readonly library: string
  readonly feed: string
  readonly image: string
}

interface Measured {
  readonly busy: number
  readonly piece: number
  readonly memory: number
}

const helper = startHelper('./cost-server.ts')
const described = (await helper.ask('describe')) as Described
const { hostname, port } = new URL(described.url)

const SIGN_IN = [
  'sign-in/link',
  'sign-in/passkey/options',
  'sign-in/passkey',
  'sign-in/password',
  'session',
].map((path) => ({ method: path === 'session' ? 'GET' : 'POST', path: `/console/api/${path}` }))

/** Every route, those of the API in the console too. Streams of events never end. */
const ROUTES: ReadonlyArray<{ readonly method: string; readonly path: string }> = [
  ...ROUTE_LIST,
  ...[...ROUTE_LIST.filter(({ access }) => access !== 'none' && access !== 'client'), ...CONSOLE_ROUTES].map(
    ({ method, path }) => ({ method, path: `/console/api${path}` }),
  ),
  ...SIGN_IN,
  { method: 'GET', path: described.image },
  { method: 'GET', path: '/console/' },
  { method: 'POST', path: '/nothing' },
]

const pathOf = (path: string, { segment, query }: Shape): string => {
  const itemId = path.includes('/feed') ? described.feed : described.library
  const concrete = path
    .replace(':itemId', segment ?? itemId)
    .replace(/:image\([^)]*\)/, path.includes('feed') ? 'image' : 'cover')
    .replace(/:contentType\([^)]*\)/, 'library')
    .replaceAll(/:\w+(?:\([^)]*\))?|\*/g, segment ?? 'x')
  return query === undefined ? concrete : `${concrete}?${query}`
}

const headOf = ({ method, path }: (typeof ROUTES)[number], shape: Shape, isKnown: boolean): string => {
  const isConsole = path.startsWith('/console')
  const identity = isConsole ? { Cookie: described.cookie } : { Authorization: `Bearer ${described.token}` }
  const fields = {
    Host: `${hostname}:${port}`,
    Connection: 'close',
    ...(isConsole && described.page),
    ...(isKnown && identity),
    ...shape.headers,
    ...(shape.body && method !== 'GET' && { 'Content-Length': shape.body.length }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${pathOf(path, shape)} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Sends bytes. Resolves with the status and length of the answer once the server has closed the connection, or 10 s have passed in silence. */
const exchange = (bytes: Buffer): Promise<{ readonly status: string; readonly length: number }> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let [status, length] = ['', 0]
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      if (length === 0) status = chunk.toString('latin1', 9, 12)
      length += chunk.byteLength
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ status, length }))
    socket.write(bytes)
  })

const measure = async (work: () => Promise<unknown>): Promise<Measured> => {
  await helper.ask('begin')
  await work()
  return (await helper.ask('end')) as Measured
}

const least = (name: keyof Measured, all: ReadonlyArray<Measured>) => Math.min(...all.map((one) => one[name]))

/** The memory that a body occupies until its last byte comes. */
const heldBy = async (bytes: Buffer): Promise<number> => {
  const sockets = Array.from({ length: HELD }, () => connect(Number(port), hostname))
  await helper.ask('collect')
  const { memory } = await measure(async () => {
    for (const socket of sockets) socket.on('error', () => {}).write(bytes.subarray(0, -1))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await helper.ask('collect')
  })
  for (const socket of sockets) socket.destroy()
  return memory / HELD
}

interface Cost {
  readonly what: string
  readonly bytes: number
  readonly status: string
  readonly busy: number
  readonly piece: number
  readonly memory: number
  /** The share of what it may take, of the worst of the three. */
  readonly share: number
}

const requestOf = (route: (typeof ROUTES)[number], shape: Shape, isKnown: boolean): Buffer => {
  const head = Buffer.from(headOf(route, shape, isKnown), 'latin1')
  return route.method === 'GET' ? head : Buffer.concat([head, shape.body ?? Buffer.of()])
}

const costOf = async (route: (typeof ROUTES)[number], shape: Shape, isKnown: boolean): Promise<Cost> => {
  const bytes = requestOf(route, shape, isKnown)
  const { status, length } = await exchange(bytes)
  const limit = mayTake(route.path, bytes.length + length)
  const send = () => measure(() => exchange(bytes))
  // A collection makes the code after it slow: it comes before the first, whose memory counts, and not before the others, whose times count.
  await helper.ask('collect')
  const { memory: allocated } = await send()
  const memory = Math.max(allocated, shape.body === undefined ? 0 : await heldBy(bytes))
  const measured: Array<Measured> = []
  const repeat = async (times: number) => {
    for (let time = 0; time < times; time += 1) measured.push(await send())
  }
  await repeat(REPEATS)
  if (least('busy', measured) > limit.busy || least('piece', measured) > limit.piece)
    await repeat(MORE_REPEATS)
  const [busy, piece] = [least('busy', measured), least('piece', measured)]
  const share = Math.max(busy / limit.busy, piece / limit.piece, memory / limit.memory)
  const who = isKnown ? 'known' : 'unknown'
  const what = `${route.method} ${route.path} as an ${who} caller: ${shape.kind}, ${shape.name}`
  return { what, bytes: bytes.length, status, busy, piece, memory, share }
}

const round = (value: number, digits = 1): number => Number(value.toFixed(digits))

const worst = new Map<string, Cost>()
const cases = fc.tuple(fc.constantFrom(...ROUTES), shapes, fc.boolean())
/** Other cases, which make the code as fast as it is in a server that has run for a while. */
for (const [route, shape, isKnown] of fc.sample(cases, { numRuns: WARMING, seed: seed + 1 }))
  if (!route.path.endsWith('/events')) await exchange(requestOf(route, shape, isKnown))
const tries = fc.sample(cases, { numRuns: rounds, seed })
for (const [index, [route, shape, isKnown]] of tries.entries()) {
  if (route.path.endsWith('/events')) continue
  const cost = await costOf(route, shape, isKnown)
  check(
    cost.share <= 1,
    `${cost.what}: ${cost.bytes} bytes took ${round(cost.busy)} ms, at most ${round(cost.piece)} in one piece, and ${round(cost.memory / 1e6)} MB`,
  )
  const kind = `${shape.kind}, ${isKnown ? 'known' : 'unknown'} caller`
  if (cost.share > (worst.get(kind)?.share ?? 0)) worst.set(kind, cost)
  if (index % 10 === 0) progress(`${index} of ${rounds}`)
}
const rows = [...worst].map(([kind, { what, bytes, status, busy, piece, memory, share }]) => ({
  kind,
  what,
  status,
  bytes,
  ms: round(busy),
  piece: round(piece),
  microsecondsAByte: round((busy * 1000) / bytes, 3),
  bytesAByte: round(memory / bytes),
  shareOfLimit: round(share, 2),
}))
report({ rounds, seed, rows })
