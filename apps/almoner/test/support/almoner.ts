import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** `pnpm test` builds the server first and starts it in half the time; a test that is run by itself starts it as it is written. */
const BUILT = process.env['TEST_PROGRAM'] === 'built'
export const BIN = join(
  import.meta.dirname,
  '../../../..',
  BUILT ? 'tools/bundle' : 'apps/almoner',
  'almoner.js',
)

/** With TEST_ACCELERATORS=off all servers run without accelerators: their results must be the same. */
const ACCELERATORS: Variables =
  process.env['TEST_ACCELERATORS'] === 'off' ? { ALMONER_ACCELERATORS: 'off' } : {}

/** The variables of a test's process: none of the machine's own settings. */
export type Variables = Readonly<Record<string, string>>

/** How a process ended and what it said. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Text that grows, and can be waited for. */
interface Said {
  text: string
  readonly has: (part: string) => Promise<void>
}

const gather = (child: ChildProcess, from: 'stdout' | 'stderr'): Said => {
  const stream = child[from]
  const said: Said = {
    text: '',
    has: async (part) => {
      while (!said.text.includes(part)) {
        if (stream === null || stream.readableEnded)
          throw new Error(`${from} ended without ${part}: ${said.text}`)
        await Promise.race([once(stream, 'data'), once(stream, 'end')])
      }
    },
  }
  stream?.setEncoding('utf8').on('data', (text: string) => {
    said.text += text
  })
  return said
}

const launch = (folder: string, args: ReadonlyArray<string>, variables: Variables) => {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...ACCELERATORS, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: gather(child, 'stdout'), err: gather(child, 'stderr') }
  const ended = once(child, 'close').then(
    ([code]): Ended => ({ code, out: said.out.text, err: said.err.text }),
  )
  return { child, said, ended }
}

/** Runs a command to its end in a folder. */
export const almoner = (
  folder: string,
  args: ReadonlyArray<string>,
  variables: Variables = {},
): Promise<Ended> => launch(folder, args, variables).ended

/** A server as a process, which listens already. */
export interface Server {
  readonly url: string
  readonly pid: number
  /** What it has said so far. */
  readonly said: () => { readonly out: string; readonly err: string }
  /** Waits until its log holds a text. */
  readonly logged: (part: string) => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
  /** Leaves its log unread for a while. */
  readonly ignore: () => void
  readonly heed: () => void
  /** Resolves when the process has ended, read or not. */
  readonly gone: Promise<unknown>
  /** How it ended; waits for that. */
  readonly ended: Promise<Ended>
  /** SIGTERM, and how it ended. */
  readonly stop: () => Promise<Ended>
}

/** The log lines of a text, parsed. */
export const logLines = (err: string): ReadonlyArray<Record<string, unknown>> =>
  err
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const launchServer = (folder: string, args: ReadonlyArray<string>, variables: Variables) =>
  launch(folder, ['serve', ...args], {
    ALMONER_PORT: '0',
    // No test contacts the sites that sample links lead to.
    ALMONER_LINK_CHECK: 'off',
    ...variables,
  })

/** Starts `serve`, sends it a signal as soon as something has happened, listening or not, and gives how it ended. */
export const serveUntil = async (
  folder: string,
  args: ReadonlyArray<string>,
  happened: Promise<void>,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<Ended> => {
  const { child, ended } = launchServer(folder, args, {})
  const early = ended.then(({ err }) => Promise.reject(new Error(`ended before that: ${err}`)))
  await Promise.race([happened, early])
  child.kill(signal)
  return ended
}

/** Starts `serve` on a free port and waits for its `listening` line. */
export const serve = async (
  folder: string,
  args: ReadonlyArray<string> = [],
  variables: Variables = {},
): Promise<Server> => {
  const { child, said, ended } = launchServer(folder, args, variables)
  await said.err.has('"msg":"listening"}\n')
  const line = logLines(said.err.text).find(({ msg }) => msg === 'listening')
  const signal = (name: NodeJS.Signals) => {
    child.kill(name)
  }
  return {
    url: String(line?.['url']),
    pid: child.pid ?? 0,
    said: () => ({ out: said.out.text, err: said.err.text }),
    logged: said.err.has,
    signal,
    ignore: () => void child.stderr?.pause(),
    heed: () => void child.stderr?.resume(),
    gone: once(child, 'exit'),
    ended,
    stop: () => {
      signal('SIGTERM')
      return ended
    },
  }
}
