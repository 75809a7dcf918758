import { execFileSync } from 'node:child_process'

/** Whose processes a server is made of. */
export interface Owner {
  readonly uid?: number
  readonly gid?: number
}

const numberOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))

/** The current user, or an unprivileged one under root, as which PostgreSQL does not run. */
export const ownerOfServers = (): Owner =>
  process.getuid?.() === 0 ? { uid: numberOf('-u'), gid: numberOf('-g') } : {}
