import type { StatsFs } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'

/** The machine that the doctor examines. */
export interface Machine {
  /** Returns its time, in epoch milliseconds. */
  readonly now: () => number
  /** The version of Node, such as `24.21.0`. */
  readonly node: string
  /** Resolves to the free space at a path. Rejects when the path does not exist. */
  readonly roomAt: (path: string) => Promise<Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>>
  /** Rejects, with the system's code, when this user cannot write a file that exists. */
  readonly mayWrite: (path: string) => Promise<void>
}

/** The machine that the program runs on. */
export const THIS_MACHINE: Machine = {
  now: Date.now,
  node: process.versions.node,
  roomAt: (path) => statfs(path),
  mayWrite: (path) => access(path, constants.W_OK),
}
