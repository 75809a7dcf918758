import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { emptyFolder, packedPackages, readManifest, runIn } from './packed.ts'

// From the tarball alone, installed by npm from the registry that this machine uses.

/** An environment in which `node` is the Node that runs this test. */
const environment = (): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS: _, NODE_PATH: __, ...others } = process.env
  const kept = Object.entries(others).filter(([name]) => !name.startsWith('ALMONER_'))
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    ALMONER_PORT: '0',
  }
}

/** Installs the server into an empty folder. */
const install = (): string => {
  const folder = emptyFolder('npx')
  const tarball = packedPackages().find(({ name }) => name === 'almoner')?.tarball ?? ''
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball])
  return folder
}

/** Resolves to the address in the log line that says that the server listens. Rejects with the log if it ends before. */
const listening = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const log: Array<string> = []
    createInterface({ input: server.stderr ?? process.stdin }).on('line', (line) => {
      log.push(line)
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.msg === 'listening') resolve(entry.url)
    })
    server.once('close', () => reject(new Error(log.join('\n'))))
  })

/** Starts `npx almoner` in a folder. With the test, it is stopped as from a terminal: all its processes get the signal. */
const npx = (t: Test, folder: string, ...args: ReadonlyArray<string>): ChildProcess => {
  const server = spawn('npx', ['almoner', ...args], {
    cwd: folder,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.teardown(() => stop(server))
  return server
}

const stop = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return
  const ended = once(server, 'close')
  process.kill(-server.pid, 'SIGTERM')
  await ended
}

const tokenOf = async (url: string, folder: string): Promise<string> => {
  const clients = JSON.parse(readFileSync(join(folder, 'data/demo-credentials.json'), 'utf8'))
  const { client_id, client_secret } = clients[0]
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const response = await fetch(`${url}/oauth2/get-token`, { method: 'POST', body })
  return Object(await response.json()).access_token
}

t.test('npx almoner serve --demo serves the demonstration from an empty folder', async (t) => {
  const folder = install()
  const server = npx(t, folder, 'serve', '--demo')
  const url = await listening(server)
  t.equal((await fetch(`${url}/health/ready`)).status, 200)
  const headers = { Authorization: `Bearer ${await tokenOf(url, folder)}` }
  const listed = await fetch(`${url}/library/?lim=1`, { headers })
  const [{ item }] = Object(await listed.json()).items
  t.type(item.itemId, 'string')
  t.equal((await fetch(item.coverImgUrl)).status, 200)
  t.match(await (await fetch(`${url}/docs`)).text(), /<title>Almoner API/)
  await stop(server)
  t.ok(existsSync(join(folder, 'data/almoner.db')), 'all data is in ./data')
  const { version } = readManifest(join(folder, 'node_modules/almoner'))
  t.match(
    runIn(folder, process.execPath, ['node_modules/.bin/almoner', 'openapi']),
    `"version": "${version}"`,
  )
})
