import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The server as it is written, and as `pnpm build` has built it. */
const SOURCE = join(import.meta.dirname, '../../apps/almoner/almoner.js')
const BUILT = join(import.meta.dirname, '../../apps/built/almoner.js')

let program = SOURCE

/** Has the built server run from now on: what is measured is what is deployed. */
export const runBuilt = (): void => {
  program = BUILT
}

/** Lines of a server's log that are kept for whoever asks why it has ended. */
const KEPT = 10

/** A server process of a campaign. */
export interface Running {
  readonly url: string
  readonly process: ChildProcess
  /** The last lines of its log, as text. */
  readonly said: () => string
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
}

/** As the start of package.json has it. */
const FLAGS = ['--min-semi-space-size=4']
/** As the image and the unit have it. */
const MALLOC = { MALLOC_ARENA_MAX: '2' }

/** Settings beyond those that say that a service's data lies in its folder. */
export type Settings = Readonly<Record<string, string>>

const environment = (folder: string, settings: Settings): NodeJS.ProcessEnv => ({
  ...process.env,
  ...MALLOC,
  ALMONER_DATABASE: `sqlite:${join(folder, 'almoner.db')}`,
  ALMONER_MEDIA: `file:${join(folder, 'media')}`,
  ALMONER_PORT: '0',
  ...settings,
})

/** What runs beside the campaign must not outlive it, however it ends. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Begins a command of the command line, beside the campaign. */
export const beginCommand = (
  folder: string,
  settings: Settings,
  args: ReadonlyArray<string>,
): ChildProcess => {
  const child = spawn(process.execPath, [...FLAGS, program, ...args], {
    env: environment(folder, settings),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Starts the server on a folder, with more settings if need be; resolves when it takes requests. */
export const startServer = async (folder: string, settings: Settings = {}): Promise<Running> => {
  const child = beginCommand(folder, { ...settings, ALMONER_HOST: '127.0.0.1' }, ['serve'])
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines: Array<string> = []
  const said = () => lines.join('\n')
  const address = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT) lines.shift()
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.msg === 'listening') resolve(entry.url)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said()}`)))
  })
  return { url: await address, process: child, said, ended }
}

/** Runs a command of the command line with more settings and gives its JSON. */
export const commandWith = (
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

/** Runs a command of the command line and gives its JSON. */
export const command = (folder: string, ...args: ReadonlyArray<string>): Record<string, string> =>
  commandWith(folder, {}, ...args)

/** Registers a content manager and gives the form with which it asks for a token. */
export const newManager = (folder: string, settings: Settings = {}): URLSearchParams => {
  const added = ['client', 'add', '--id', 'campaign', '--scope', 'content-manager']
  const client = commandWith(folder, settings, ...added)
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
