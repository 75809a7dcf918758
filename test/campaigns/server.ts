import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const BIN = join(import.meta.dirname, '../../apps/almoner/src/bin.ts')

/** A server process of a campaign. */
export interface Running {
  readonly url: string
  readonly process: ChildProcess
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
}

const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ALMONER_DATABASE: `sqlite:${join(folder, 'almoner.db')}`,
  ALMONER_MEDIA: `file:${join(folder, 'media')}`,
  ALMONER_PORT: '0',
})

/** Starts the server on a folder, with more settings if need be; resolves when it takes requests. */
export const startServer = async (
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> => {
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: { ...environment(folder), ...settings, ALMONER_HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.msg === 'listening') resolve(entry.url)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return { url: await address, process: child, ended }
}

/** Runs a command of the command line and gives its JSON. */
export const command = (folder: string, ...args: ReadonlyArray<string>): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [BIN, ...args, '--json'], { env: environment(folder), encoding: 'utf8' }),
  )

/** Registers a content manager and gives the form with which it asks for a token. */
export const newManager = (folder: string): URLSearchParams => {
  const client = command(folder, 'client', 'add', '--id', 'campaign', '--scope', 'content-manager')
  return new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client['client_id'] ?? '',
    client_secret: client['client_secret'] ?? '',
  })
}

/** Headers with a fresh access token. */
export const authorization = async (
  url: string,
  body: URLSearchParams,
): Promise<{ authorization: string }> => {
  const answer = await fetch(`${url}/oauth2/get-token`, { method: 'POST', body })
  const { access_token } = (await answer.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

/** Peak memory of a process since its start, in megabytes. */
export const peakOf = ({ pid }: ChildProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
