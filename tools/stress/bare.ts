// Runs both commands of the README on a bare machine: a Debian of debootstrap's smallest variant in a folder, a copy of this machine's Node
// and npm, and a clone of the last commit. Starts the service, asks it for a page, ends npx by SIGTERM and looks that the server has gone
// with it, and starts it again on the same port. With --test it runs the tests too. Needs root, debootstrap and git.
// Usage: node tools/stress/bare.ts [--test] [--mirror URL] [--suite bookworm] [--keep]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { makeRoot } from './bare/root.ts'

const { values } = parseArgs({
  options: {
    test: { type: 'boolean', default: false },
    mirror: { type: 'string' },
    suite: { type: 'string', default: 'bookworm' },
    keep: { type: 'boolean', default: false },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const root = makeRoot({ mirror: values.mirror, suite: values.suite })
process.once('exit', () => {
  if (!values.keep) root.remove()
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Runs a command of the README there, with nothing of this machine's environment. */
const launch = (
  words: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn('chroot', [root.path, '/bin/sh', '-c', `cd /almoner && exec npx -y pnpm@12 ${words.join(' ')}`], {
    env: { PATH: `${root.programs}:/usr/bin:/bin:/usr/sbin:/sbin`, HOME: '/root', ...variables },
    stdio: ['ignore', 'inherit', 'pipe'],
  })

interface Started {
  readonly npx: ChildProcess
  readonly url: string
  /** Resolves when no process is left that could write to its log. */
  readonly silent: Promise<unknown>
}

const start = async (port: string): Promise<Started> => {
  const npx = launch(['start'], { ALMONER_PORT: port })
  if (npx.stderr === null) throw new Error('there is no log')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const lines = createInterface(npx.stderr)
  const silent = once(lines, 'close')
  void silent.then(() => reject(new Error('it did not start')))
  lines.on('line', (line) => {
    process.stderr.write(`${line}\n`)
    if (line.includes('"msg":"listening"')) resolve(JSON.parse(line).url)
  })
  return { npx, url: await promise, silent }
}

/** A page of the library, as a demonstration client sees it. */
const firstPage = async (url: string): Promise<ReadonlyArray<unknown>> => {
  const clients: ReadonlyArray<Readonly<Record<string, string>>> = JSON.parse(
    readFileSync(join(root.path, 'almoner/data/demo-credentials.json'), 'utf8'),
  )
  const { client_id = '', client_secret = '' } = clients.find((one) => one['client_id'] === 'demo-user') ?? {}
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const granted = await fetch(`${url}/oauth2/get-token`, { method: 'POST', body })
  const { access_token } = (await granted.json()) as { readonly access_token: string }
  const page = await fetch(`${url}/library/?lim=2`, { headers: { authorization: `Bearer ${access_token}` } })
  return ((await page.json()) as { readonly items: ReadonlyArray<unknown> }).items
}

const missing = root.libraries('libatomic') === ''
say(`libatomic is ${missing ? 'not there, as on a slim image' : 'there: this root proves nothing of it'}`)
const first = await start('0')
say(`start: ${(await firstPage(first.url)).length} items of the library came from ${first.url}`)
first.npx.kill('SIGTERM')
await first.silent
const again = await start(new URL(first.url).port)
say(`start again on the same port, after SIGTERM to npx: ${(await firstPage(again.url)).length} items`)
again.npx.kill('SIGTERM')
await again.silent
if (values.test) {
  const test = launch(['test'])
  test.stderr?.pipe(process.stderr)
  const [code] = await once(test, 'close')
  say(`test: exit code ${code}`)
  process.exitCode = code === 0 ? 0 : 1
}
