import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { parse } from 'yaml'
import { emptyFolder, ROOT, WITHOUT_RUNNER } from './packed.ts'

// The container image, without a container: the steps of the Dockerfile in a folder with the files that .dockerignore lets through.

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const instructions = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')

/** Copies what `docker build` sends: the lines with `!`, without what the lines after them exclude. */
const context = (folder: string): string => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const excluded = lines.filter((line) => !line.startsWith('!') && line !== '*')
  for (const place of lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
    cpSync(join(ROOT, place), join(folder, place), {
      recursive: true,
      filter: (path) => !excluded.some((pattern) => matchesGlob(relative(ROOT, path), pattern)),
    })
  return folder
}

/** Runs the commands of the stage that builds, and returns the folder that the image gets. */
const build = (): string => {
  const folder = emptyFolder('image')
  const app = context(join(folder, 'app'))
  const out = join(folder, 'out')
  const from = instructions.findIndex((line) => line.endsWith(' AS build'))
  const to = instructions.findIndex((line, n) => n > from && line.startsWith('FROM '))
  for (const line of instructions.slice(from, to)) {
    const [, command] = /^RUN (?:--mount=\S+ )?(.*)$/.exec(line) ?? []
    if (command === undefined) continue
    const here = command.replaceAll('--store-dir /pnpm', '').replaceAll('/out', out)
    execFileSync('sh', ['-c', here], { cwd: app, encoding: 'utf8', stdio: 'pipe' })
  }
  return out
}

const place = build()

t.test('52.12: the image has the server, the packages that it loads and nothing else', async (t) => {
  t.strictSame(
    readdirSync(place)
      .filter((name) => !name.startsWith('pnpm-'))
      .sort(),
    ['almoner.js', 'dist', 'node_modules', 'package.json'],
  )
  const packages = readdirSync(join(place, 'node_modules/.pnpm'))
  t.ok(packages.some((name) => name.startsWith('sharp@')))
  for (const name of ['react@', 'rolldown@', 'tap@', 'typescript@', 'node@'])
    t.notOk(
      packages.some((one) => one.startsWith(name)),
      name,
    )
  const out = execFileSync(process.execPath, [join(place, 'almoner.js'), 'openapi'], { encoding: 'utf8' })
  t.match(out, '"openapi": "3.1')
})

t.test(
  '52.12: with a file system that is read-only beside the volume, the server starts and takes writes',
  async (t) => {
    const data = t.testdir()
    const environment = Object.fromEntries(
      [...(instructions.find((line) => line.startsWith('ENV ')) ?? '').matchAll(/([A-Z_]+)=(\S+)/g)].map(
        ([, name, value = '']) => [name, value.replaceAll('/data', data)],
      ),
    )
    const run = (...args: ReadonlyArray<string>) =>
      spawn(
        'env',
        // The permission model refuses every other write by modules of Node.
        [
          ...WITHOUT_RUNNER,
          process.execPath,
          '--permission',
          '--allow-fs-read=*',
          `--allow-fs-write=${data}`,
          '--allow-addons',
          '--allow-worker',
        ].concat('--no-warnings', join(place, 'almoner.js'), ...args),
        {
          cwd: data,
          env: { ...environment, ALMONER_PORT: '0', ALMONER_HOST: '127.0.0.1' },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
    const before = globSync('**', { cwd: place })
    const server = run('serve')
    t.teardown(() => server.kill('SIGKILL'))
    const lines: Array<string> = []
    let url = ''
    for await (const line of createInterface({ input: server.stderr })) {
      lines.push(line)
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.msg !== 'listening') continue
      url = entry.url
      break
    }
    t.ok(url, lines.join('\n'))
    t.equal((await fetch(`${url}/health/ready`)).status, 200)
    const added = run('client', 'add', '--id', 'app', '--scope', 'content-manager')
    const { client_id, client_secret } = JSON.parse((await added.stdout.toArray()).join(''))
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
    const token = await fetch(`${url}/oauth2/get-token`, { method: 'POST', body })
    const { access_token } = Object(await token.json())
    const post = {
      itemType: 'link',
      link: 'https://example.org/',
      itemTitle: 'Hello',
      itemDescription: 'Words',
    }
    const created = await fetch(`${url}/feed/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: new URLSearchParams(post),
    })
    t.equal(created.status, 200)
    server.kill('SIGTERM')
    const [code] = await once(server, 'close')
    t.equal(code, 0)
    t.strictSame(globSync('**', { cwd: place }), before, 'nothing is written beside the program')
  },
)

t.test('52.12: the lockfile has the packages of both architectures, with glibc and with musl', async (t) => {
  const { packages, snapshots } = parse(read('pnpm-lock.yaml'))
  const sharp = Object.keys(snapshots).find((name) => name.startsWith('sharp@')) ?? ''
  const { optionalDependencies } = snapshots[sharp]
  for (const cpu of ['x64', 'arm64'])
    for (const [suffix, libc] of [
      ['linux', 'glibc'],
      ['linuxmusl', 'musl'],
    ])
      for (const name of [`@img/sharp-${suffix}-${cpu}`, `@img/sharp-libvips-${suffix}-${cpu}`])
        t.match(
          packages[`${name}@${optionalDependencies[name]}`],
          { cpu: [cpu], os: ['linux'], libc: [libc] },
          name,
        )
  const [sqlite] = globSync('node_modules/.pnpm/better-sqlite3@*/node_modules/better-sqlite3', { cwd: place })
  const built = readdirSync(join(place, sqlite ?? '', 'prebuilds'))
  for (const name of ['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'linuxmusl-arm64'])
    t.ok(built.includes(`${name}.node`), name)
})
