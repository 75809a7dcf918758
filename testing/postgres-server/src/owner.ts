import { execFileSync } from 'node:child_process'

/** Whose processes a server is made of. */
export interface Owner {
  readonly uid?: number
  readonly gid?: number
}

const numberOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))

/** Ourselves, but for root, as whom PostgreSQL does not run: then nobody, who needs no account of his own. */
export const ownerOfServers = (): Owner =>
  process.getuid?.() === 0 ? { uid: numberOf('-u'), gid: numberOf('-g') } : {}
