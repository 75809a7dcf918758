import { reasonsNotReady } from '../../composition/readiness.ts'
import { DATABASE_FILES } from '../../serve/ready.ts'
import { type Check, fault, ok } from './finding.ts'

/** Addresses on which a server listens, but no client connects everywhere. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const urlOf = (host: string, port: number): string => {
  const to = LOOPBACK[host] ?? host
  return `http://${to.includes(':') ? `[${to}]` : to}:${port}`
}

/** Checks that the server still has the files that ALMONER_DATABASE names (I10). Another process asks the server, because those files are others. */
export const heldFilesCheck: Check = {
  name: 'files',
  asks: 'the server on ALMONER_PORT',
  look: async ({ settings: { database: place, host, port }, database }) => {
    const url = urlOf(host, port)
    const isFile = place.kind === 'sqlite'
    const isGone =
      database?.filesFault?.() !== undefined ||
      (isFile && port !== 0 && (await reasonsNotReady(url)).includes(DATABASE_FILES))
    if (!isGone) return isFile ? [ok('no server says that its files were moved, removed or replaced')] : []
    return [
      fault(
        'database-files',
        `the files of the database were moved, removed or replaced under the server at ${url}, which writes nothing any more`,
        'stop the server, put the files of the right database in place, and start it',
      ),
    ]
  },
}
