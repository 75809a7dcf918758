import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'

const ROOT = join(import.meta.dirname, '../..')
let program = join(ROOT, 'apps/almoner/almoner.js')

/** Selects the server that `pnpm build` has built, for everything that starts later. */
export const runBuilt = (): void => {
  program = join(ROOT, 'tools/bundle/almoner.js')
}

/** Additional variables, besides the ones that put database and images into a folder. */
export type Settings = Readonly<Record<string, string>>

/** Headers with an access token. */
export type Headers = { readonly authorization: string }

/** The flags and variables are those of package.json and of the deployment. */
const environment = (folder: string, settings: Settings): NodeJS.ProcessEnv => ({
  ...process.env,
  // Names the binaries of a campaign's own PostgreSQL, and is no setting.
  ALMONER_TEST_POSTGRES: undefined,
  MALLOC_ARENA_MAX: '2',
  ALMONER_DATABASE: `sqlite:${join(folder, 'almoner.db')}`,
  ALMONER_MEDIA: `file:${join(folder, 'media')}`,
  ALMONER_HOST: '127.0.0.1',
  ALMONER_PORT: '0',
  ALMONER_LINK_CHECK: 'off',
  ...settings,
})

/** Starts a command without waiting for it. It is killed when this process exits. */
export const spawnCommand = (folder: string, settings: Settings, ...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, ['--min-semi-space-size=4', program, ...args], {
    env: environment(folder, settings),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

/** Runs a command and returns its JSON. */
export const runCommand = (
  folder: string,
  settings: Settings,
  ...args: ReadonlyArray<string>
): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [program, ...args, '--json'], {
      env: environment(folder, settings),
      encoding: 'utf8',
    }),
  )

/** A server process. */
export interface Server {
  readonly url: string
  readonly process: ChildProcess
  /** Emits the lines of its log. */
  readonly log: Interface
  /** Returns the last lines of its log. */
  readonly lastLines: () => string
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>
  /** Sends a signal, SIGTERM unless given, and waits until the process has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts a server and waits until it takes requests. */
export const startServer = async (folder: string, settings: Settings = {}): Promise<Server> => {
  const child = spawnCommand(folder, settings, 'serve')
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const lines: Array<string> = []
  const lastLines = () => lines.slice(-10).join('\n')
  const log = createInterface(child.stderr)
  const url = await new Promise<string>((resolve, reject) => {
    log.on('line', (line) => {
      lines.splice(0, lines.length - 10, line)
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.msg === 'listening') resolve(entry.url)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${lastLines()}`)))
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { url, process: child, log, lastLines, ended, stop }
}

/** Adds a client and returns the form with which it asks for a token. A content manager with one more role, if given. */
export const addManager = (folder: string, settings: Settings = {}, ...args: ReadonlyArray<string>) => {
  const added = ['client', 'add', '--id', 'campaign', '--scope', 'content-manager', ...args]
  const client = runCommand(folder, settings, ...added)
  return new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client['client_id'] ?? '',
    client_secret: client['client_secret'] ?? '',
  })
}

/** An answer with its body, which is read as JSON. */
export interface StressResponse<A> {
  readonly status: number
  readonly headers: globalThis.Headers
  readonly body: A
}

/** Sends a request: a POST if there is a body, which goes as JSON unless it is a form. */
export const ask = async <A = unknown>(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
  signal: AbortSignal | null = null,
): Promise<StressResponse<A>> => {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const json = body === undefined || isForm ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, {
    signal,
    headers: { ...headers, ...json },
    ...(body && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status, headers: received } = response
  return { status, headers: received, body: (text === '' ? undefined : JSON.parse(text)) as A }
}

/** Gets a token and returns the headers that carry it. */
export const authorize = async (url: string, form: URLSearchParams): Promise<Headers> => {
  const { body } = await ask<{ access_token: string }>(`${url}/oauth2/get-token`, {}, form)
  return { authorization: `Bearer ${body.access_token}` }
}
