// Shows where the processor time of a workload goes: runs the built service under V8's profiler, and sums self time by package and folder.
//   node tools/bench/profile.ts NAME [--seconds 10] [--top 25] [--functions]
// NAME is a workload of `pnpm bench` over HTTP or a row of pushes, which run from the sources. `--functions` lists the functions with the most self time too.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, DIST } from '../../tools/bundle/src/build.ts'
import { runBuilt } from '../stress/server.ts'
import { makeFixture } from './fixture.ts'
import { PUSH_ROWS, type PushRow, preparePush } from './push/compare.ts'
import { FULL } from './run.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

const ROOT = join(import.meta.dirname, '../..')

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** A `.cpuprofile` as V8 writes it. Times are microseconds of the monotonic clock. */
interface Profile {
  readonly startTime: number
  readonly nodes: ReadonlyArray<{ readonly id: number; readonly callFrame: CallFrame }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** A place in the code, as the tables name it. */
interface Place {
  readonly group: string
  readonly name: string
}

/** The file that runs statements: V8 counts the compiled part of better-sqlite3 as its callers' time. */
const STATEMENTS = 'packages/adapters-sqlite/src/connection.ts'

const IDLE = new Set(['(idle)', '(program)', '(root)'])

const maps = new Map<string, SourceMap | undefined>()

/** Returns the source map of a file of the bundle; undefined for the bundler's own code. */
const mapOf = (file: string): SourceMap | undefined => {
  if (!maps.has(file)) {
    const isMapped = existsSync(`${file}.map`)
    const text = isMapped ? readFileSync(`${file}.map`, 'utf8') : ''
    maps.set(file, isMapped ? new SourceMap(JSON.parse(text) as SourceMapPayload) : undefined)
  }
  return maps.get(file)
}

/** Returns the source file of a place in the bundle, from the root of the repository. */
const sourceOf = (file: string, { lineNumber, columnNumber }: CallFrame): string => {
  const entry = mapOf(file)?.findEntry(lineNumber, columnNumber)
  return entry !== undefined && 'originalSource' in entry
    ? relative(ROOT, join(dirname(file), entry.originalSource))
    : file
}

/** Returns the package of a file below `node_modules`, else the folder of the file. */
const groupOf = (source: string): string => {
  if (source === STATEMENTS) return 'SQLite'
  const [, installed] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  return installed ?? dirname(source).replace('/src', '')
}

const placeOf = (frame: CallFrame): Place => {
  const { functionName: name, url } = frame
  if (name === '(garbage collector)') return { group: 'collector', name }
  if (url === '') return { group: 'compiled code of Node', name }
  if (!url.startsWith('file:')) return { group: url.split('/').slice(0, 2).join('/'), name }
  const file = fileURLToPath(url)
  const source = file.startsWith(DIST) ? sourceOf(file, frame) : relative(ROOT, file)
  return { group: groupOf(source), name: `${name || '(anonymous)'} ${basename(source)}` }
}

/** Adds the self time of each place between two moments, in microseconds. */
const addTimes = (
  { startTime, nodes, samples, timeDeltas }: Profile,
  [from, to]: readonly [number, number],
  add: (place: Place, time: number) => void,
): void => {
  const places = new Map(
    nodes.flatMap(({ id, callFrame }) =>
      IDLE.has(callFrame.functionName) ? [] : [[id, placeOf(callFrame)] as const],
    ),
  )
  let at = startTime
  for (const [n, id] of samples.entries()) {
    const time = timeDeltas[n] ?? 0
    at += time
    const place = places.get(id)
    if (place !== undefined && at >= from && at <= to) add(place, time)
  }
}

const rowsOf = (times: ReadonlyMap<string, number>, total: number, most: number): string =>
  [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => `| ${name} | ${((time / total) * 100).toFixed(1)} % |\n`)
    .join('')

const microseconds = (): number => Number(process.hrtime.bigint() / 1000n)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    top: { type: 'string', default: '25' },
    functions: { type: 'boolean', default: false },
  },
})
/** What was profiled. */
interface Profiled {
  readonly count: number
  readonly between: readonly [from: number, to: number]
  /** The processes that the service or the client consists of. */
  readonly pids?: ReadonlyArray<number>
}

const folder = mkdtempSync(join(tmpdir(), 'almoner-profile-'))
const fixture = makeFixture(FULL.size)
process.once('exit', fixture.dataset.remove)

/** Profiles the processes that are started from now on. */
const profileFromNowOn = (): void => {
  process.env['NODE_OPTIONS'] = `--cpu-prof --cpu-prof-dir=${folder}`
}

const profileWorkload = async (workload: Workload): Promise<Profiled> => {
  await build(DIST, { sourcemap: true })
  runBuilt()
  profileFromNowOn()
  const { server, request } = await workload.sides[0](fixture)
  const burst = { url: server.url, request, connections: 32, status: workload.status ?? 200 }
  await fixture.fire({ ...burst, seconds: FULL.effort.warmUp })
  const from = microseconds()
  const { answers } = await fixture.fire({ ...burst, seconds: Number(values.seconds) })
  return { count: answers, between: [from, microseconds()], pids: server.pids }
}

const profilePush = async (row: PushRow): Promise<Profiled> => {
  const { run, stop } = await preparePush(fixture.dataset, row)
  profileFromNowOn()
  const { pushes, between } = await run('ours')
  await stop()
  return { count: pushes, between }
}

const byName = <A extends { readonly name: string }>(all: ReadonlyArray<A>): A | undefined =>
  all.find(({ name }) => name === positionals[0])
const [workload, row] = [byName(WORKLOADS), byName(PUSH_ROWS)]
const named = workload ?? row
if (named === undefined)
  throw new RangeError(`name one of ${[...WORKLOADS, ...PUSH_ROWS].map(({ name }) => name).join(', ')}`)
const profiled = workload === undefined ? row && (await profilePush(row)) : await profileWorkload(workload)
await fixture.stop()
const { count = 0, between = [0, 0], pids } = profiled ?? {}

const [groups, functions] = [new Map<string, number>(), new Map<string, number>()]
let total = 0
const written = readdirSync(folder).filter((name) => pids?.some((pid) => name.includes(`.${pid}.`)) ?? true)
for (const name of written)
  addTimes(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile, between, (place, time) => {
    total += time
    groups.set(place.group, (groups.get(place.group) ?? 0) + time)
    const one = `${place.name} | ${place.group}`
    functions.set(one, (functions.get(one) ?? 0) + time)
  })
process.stdout.write(
  `${named.title}: ${count} times, ${(total / count).toFixed(1)} µs of processor time each, with the profiler\n\n`,
)
process.stdout.write(`| where | share |\n| --- | --- |\n${rowsOf(groups, total, Number(values.top))}`)
if (values.functions)
  process.stdout.write(
    `\n| function | where | share |\n| --- | --- | --- |\n${rowsOf(functions, total, Number(values.top))}`,
  )
