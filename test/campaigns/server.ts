import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
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

/** Starts the server on a folder; resolves when it takes requests. */
export const startServer = async (folder: string): Promise<Running> => {
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: { ...environment(folder), ALMONER_HOST: '127.0.0.1' },
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
