import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Owner } from './owner.ts'

/** Says that a server's files are needed again. */
const KEEP = 'keep'

/**
 * Runs a server until stdin ends, which also happens if the parent process crashes. Then stops the server at once and deletes its files.
 * Ignores signals to all processes of a terminal.
 */
const GUARD = `trap '' HUP INT TERM; folder="$1"; shift; "$@" </dev/null & server=$!
word=$(cat); kill -QUIT $server 2>/dev/null; wait $server; [ "$word" = ${KEEP} ] || rm -rf "$folder"`

/** Lines that are kept for the error of a server that does not start. */
const KEPT = 20

/** What a server is run with: speed before durability, since nothing in it is to outlive a test. */
const FLAGS = [
  'fsync=off',
  'full_page_writes=off',
  'shared_buffers=32MB',
  'max_connections=200',
  'max_wal_size=256MB',
  'listen_addresses=',
].flatMap((setting) => ['-c', setting])

/** A running server. */
export interface Postmaster {
  readonly pid: number
  /** Resolves when the server and all its processes are gone. */
  stop(): Promise<void>
}

interface Start {
  /** Additional settings as `name=value`. */
  readonly settings?: ReadonlyArray<string>
  readonly postgres: string
  readonly folder: string
  readonly owner: Owner
}

/** Starts a server on a data folder, which takes connections by a socket in it, and waits until it takes some. */
export const startPostmaster = async ({
  postgres,
  folder,
  owner,
  settings = [],
}: Start): Promise<Postmaster> => {
  const own = settings.flatMap((setting) => ['-c', setting])
  const args = ['-D', folder, '-k', folder, ...FLAGS, ...own]
  const child = spawn('sh', ['-c', GUARD, 'sh', folder, postgres, ...args], {
    ...owner,
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const gone = once(child, 'close')
  const said: Array<string> = []
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line)
    if (said.length > KEPT) said.shift()
    if (line.includes('ready to accept')) ready.resolve()
    if (line.includes('database system is shut down')) ready.reject(new Error(said.join('\n')))
  })
  void gone.then(() => ready.reject(new Error(`the server has ended: ${said.join('\n')}`)))
  await ready.promise
  // A test that is over does not wait for its server.
  const parts = [child, child.stdin, child.stderr] as ReadonlyArray<{ ref?(): void; unref?(): void }>
  for (const part of parts) part.unref?.()
  const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  return {
    pid: Number(pid),
    stop: async () => {
      for (const part of parts) part.ref?.()
      child.stdin.end(KEEP)
      await gone
    },
  }
}
