import type { StatsFs } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'

/** What a file system says of itself. */
export type Room = Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>

/** The machine that the doctor looks at. */
export interface Machine {
  /** Its clock, in epoch milliseconds. */
  readonly now: () => number
  /** How much room there is where a path lies. Rejects when the path is not there. */
  readonly roomAt: (path: string) => Promise<Room>
  /** Rejects, with the system's code, when this user cannot write something that is there. */
  readonly mayWrite: (path: string) => Promise<void>
}

/** The one that the program runs on. */
export const THIS_MACHINE: Machine = {
  now: Date.now,
  roomAt: (path) => statfs(path),
  mayWrite: (path) => access(path, constants.W_OK),
}
