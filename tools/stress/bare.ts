// Runs both commands of the README on a bare machine: a minimal Debian in a folder, with a copy of this machine's Node and npm and a clone
// of the last commit. Starts the service, asks it for a page, ends npx by SIGTERM, and starts the service again on the same port.
// With --test it runs the tests too. Needs root, debootstrap and git. Usage: node tools/stress/bare.ts [--test] [--mirror URL]
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { check, folder, report } from './campaign.ts'
import { ask, authorize } from './server.ts'

const { values } = parseArgs({
  options: { test: { type: 'boolean', default: false }, mirror: { type: 'string' } },
})
const REPOSITORY = join(import.meta.dirname, '../..')
const root = join(folder, 'root')

const run = (command: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

/** Finds a program that is not from the packages, which have a Node of their own. */
const programOf = (name: string): string => {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`there is no ${name} on this machine`)
  return realpathSync(found)
}

/** Reads the Debian mirror of apt. */
const mirrorOfApt = (): string => {
  const files = globSync(['/etc/apt/sources.list', '/etc/apt/sources.list.d/*'])
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const [, mirror] = /^(?:URIs: *|deb (?:\[.*\] )?)(https?:\S+\/debian)\/?(?:\s|$)/m.exec(text) ?? []
  if (mirror === undefined) throw new Error('apt names no mirror of Debian: give one with --mirror')
  return mirror
}

/** Copies a file or folder of this machine to the same place in the root, because npm finds its settings beside Node. */
const copy = (path: string, options: { verbatimSymlinks?: boolean; dereference?: boolean }): void => {
  if (!existsSync(path)) return
  mkdirSync(join(root, dirname(path)), { recursive: true })
  cpSync(path, join(root, path), { recursive: true, ...options })
}

process.prependOnceListener('exit', () => {
  const mounts = readFileSync('/proc/mounts', 'utf8')
  for (const place of ['proc', 'dev/shm'].map((name) => join(root, name)))
    if (mounts.includes(` ${place} `)) run('umount', place)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const [node, npm] = [programOf('node'), programOf('npm')]
run('debootstrap', '--variant=minbase', 'bookworm', root, values.mirror ?? mirrorOfApt())
const library = join(dirname(npm), '..')
copy(node, { dereference: true })
copy(library, { verbatimSymlinks: true })
for (const name of ['npm', 'npx'])
  symlinkSync(join(library, `bin/${name}-cli.js`), join(root, dirname(node), name))
const settings = ['userconfig', 'globalconfig', 'cafile'].map((key) => run(node, npm, 'config', 'get', key))
for (const path of [...settings, '/etc/resolv.conf', '/etc/hosts'])
  if (path.startsWith('/')) copy(path, { dereference: true })
run('git', 'clone', '--quiet', '--no-local', REPOSITORY, join(root, 'almoner'))
run('mount', '-t', 'proc', 'proc', join(root, 'proc'))
mkdirSync(join(root, 'dev/shm'), { recursive: true })
run('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(root, 'dev/shm'))

/** Runs a command of the README in the root, without this machine's variables. */
const launch = (command: string, variables: Readonly<Record<string, string>> = {}) =>
  spawn('chroot', [root, '/bin/sh', '-c', `cd /almoner && exec npx -y pnpm@12 ${command}`], {
    env: { PATH: `${dirname(node)}:/usr/bin:/bin:/usr/sbin:/sbin`, HOME: '/root', ...variables },
    stdio: ['ignore', 'inherit', 'pipe'],
  })

/** Starts the service, asks for a page as a demonstration client, and ends npx. Returns the port when no process is left that writes to the log. */
const startAndStop = async (port: string): Promise<string> => {
  const npx = launch('start', { ALMONER_PORT: port })
  const lines = createInterface(npx.stderr)
  const closed = once(lines, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    lines.once('close', () => reject(new Error('it did not start')))
    lines.on('line', (line) => {
      process.stderr.write(`${line}\n`)
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line).url)
    })
  })
  const clients: ReadonlyArray<Readonly<Record<string, string>>> = JSON.parse(
    readFileSync(join(root, 'almoner/data/demo-credentials.json'), 'utf8'),
  )
  const { client_id = '', client_secret = '' } = clients.find((one) => one['client_id'] === 'demo-user') ?? {}
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const headers = await authorize(url, form)
  const { body } = await ask<{ items: ReadonlyArray<unknown> }>(`${url}/library/?lim=2`, headers)
  check(body.items.length === 2, `the first page has ${body.items.length} items`)
  npx.kill('SIGTERM')
  await closed
  return new URL(url).port
}

const port = await startAndStop('0')
await startAndStop(port)
if (values.test) {
  const test = launch('test')
  test.stderr.pipe(process.stderr)
  const [code] = await once(test, 'close')
  check(code === 0, `the tests end with ${code}`)
}
/** Slim images have no libatomic. A root that has it proves less. */
const hasLibatomic = run('find', join(root, 'usr/lib'), '-name', 'libatomic*') !== ''
report({ hasLibatomic, port, test: values.test })
