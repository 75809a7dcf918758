// Measures how much memory an idle process takes with the packages that the server is made of, and no code of the project:
// node tools/bench/idle.ts
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { memoryOf } from './processes.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')

/** Milliseconds after which a process counts as idle. */
const SETTLE = 3000

/** Packages of others by the package that depends on them. */
type Used = Readonly<Record<string, ReadonlyArray<string>>>

const REST: Used = {
  'adapters-kysely': ['kysely'],
  'adapters-http': ['@fastify/static', '@fastify/multipart', 'pino', '@prometheus-io/client'],
  'adapters-node': ['node-schedule'],
  domain: ['io-ts', 'fp-ts/lib/TaskEither.js'],
}

const importing = (used: Used): string =>
  Object.entries(used)
    .flatMap(([name, modules]) => {
      const { resolve } = createRequire(join(PACKAGES, name, 'package.json'))
      return modules.map((module) => `await import(${JSON.stringify(pathToFileURL(resolve(module)).href)})`)
    })
    .join('\n')

const FASTIFY = `const { default: Fastify } = ${importing({ 'adapters-http': ['fastify'] })}
const app = Fastify()
app.get('/', async () => ({}))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
const { get } = await import('node:http')
await new Promise((resolve) => get(url, (response) => response.resume().on('end', resolve)))`

const ROWS: ReadonlyArray<readonly [title: string, code: string]> = [
  ['Node alone', ''],
  ['with Fastify, after one request', FASTIFY],
  ['and better-sqlite3', `${FASTIFY}\n${importing({ 'adapters-sqlite': ['better-sqlite3'] })}`],
  [
    'and the other packages that a start loads',
    `${FASTIFY}\n${importing({ 'adapters-sqlite': ['better-sqlite3'], ...REST })}`,
  ],
]

const measure = async (code: string): Promise<number> => {
  const script = `${code}\nconsole.log('idle')\nsetInterval(() => {}, 60_000)`
  const child = spawn(
    process.execPath,
    ['--min-semi-space-size=4', '--input-type=module', '--eval', script],
    {
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(createInterface({ input: child.stdout }), 'line')
  await pause(SETTLE)
  const megabytes = memoryOf(child.pid ?? 0, 'VmRSS')
  child.kill()
  await once(child, 'exit')
  return megabytes
}

/** Measures an idle process with all packages that a start loads, in megabytes. */
export const memoryOfPackages = (): Promise<number> => measure(ROWS.at(-1)?.[1] ?? '')

if (import.meta.main)
  for (const [title, code] of ROWS)
    process.stdout.write(`| ${title} | ${Math.round(await measure(code))} MB |\n`)
