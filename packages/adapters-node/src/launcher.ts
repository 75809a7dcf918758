import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The processes of this machine. Both give undefined for a process that is not there, or on a system that does not tell. */
export interface Processes {
  /** The number of the parent of a process. */
  readonly parentOf: (pid: number) => number | undefined
  /** The words of the command that a process runs. */
  readonly commandOf: (pid: number) => ReadonlyArray<string> | undefined
}

const readProc = (pid: number, file: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

/** Reads `/proc`, which only Linux has. */
const PROC: Processes = {
  parentOf: (pid) => {
    const [, parent] = /^PPid:\s*(\d+)$/m.exec(readProc(pid, 'status') ?? '') ?? []
    return parent === undefined ? undefined : Number(parent)
  },
  commandOf: (pid) => readProc(pid, 'cmdline')?.split('\0'),
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'ash', 'bash', 'dash', 'busybox'])

/** A shell that runs one command, as package managers start scripts; not the one that a person types into. */
const isScriptShell = ([program = '', ...args]: ReadonlyArray<string>): boolean =>
  SHELLS.has(basename(program)) && args.slice(0, 2).includes('-c')

const MANAGER = /^(?:npm|npx|pnpm|pnpx)(?:-cli)?(?:\.[cm]?js)?$/

/** npm gives its process a title, such as `npm exec pnpm@12 start`, which stands in the place of the first word. */
const isPackageManager = (command: ReadonlyArray<string>): boolean =>
  command.slice(0, 2).some((word) => MANAGER.test(basename(word.split(' ', 1)[0] ?? '')))

/**
 * Returns the processes between this one and the package manager that a person, a script or a supervisor started: `npx`, the shell that
 * `npx` runs `pnpm` in, `pnpm`, and the shell of the script. Begins with `pid` itself; holds nothing but `pid` when no package manager
 * started it. Processes above it may end without ending the server: a terminal, `nohup`, a login shell.
 */
export const launcherChain = ({ parentOf, commandOf }: Processes, pid: number): ReadonlyArray<number> => {
  const chain = [pid]
  let length = 1
  for (let parent = parentOf(pid); parent !== undefined && parent > 0; parent = parentOf(parent)) {
    const command = commandOf(parent) ?? []
    const isManager = isPackageManager(command)
    if (!isManager && !isScriptShell(command)) break
    chain.push(parent)
    if (isManager) length = chain.length
  }
  return chain.slice(0, length)
}

/** Returns whether each process of a chain still has the next one as its parent; the system gives an orphan another one. */
export const isUnbroken = ({ parentOf }: Processes, chain: ReadonlyArray<number>): boolean =>
  chain.every((pid, n) => n === chain.length - 1 || parentOf(pid) === chain[n + 1])

/** Milliseconds between two looks. */
const EVERY = 500

/** How a process is stopped, for a reason that is logged. */
export interface Stoppable {
  /** Requests that the process stops, with the reason for its log. */
  readonly make: (reason: object) => void
  /** Whether the terminal was closed that this process was started from, as with nohup, and does not depend on. */
  readonly isDetached: () => boolean
}

/**
 * Stops this process when the `npx` or `pnpm` that runs it has ended: neither forwards every signal, and the server would keep its port. Not if
 * they ended with a terminal on which this process does not depend.
 */
export const stopWithLauncher = (request: Stoppable, processes = PROC): void => {
  const chain = launcherChain(processes, process.pid)
  if (chain.length === 1) return
  const looking = setInterval(() => {
    if (isUnbroken(processes, chain) || request.isDetached()) return
    clearInterval(looking)
    request.make({ reason: 'the npx or pnpm that started this process has ended' })
  }, EVERY)
  looking.unref()
}
