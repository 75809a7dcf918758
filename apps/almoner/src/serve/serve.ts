import * as E from 'fp-ts/lib/Either.js'
import { settingsOf, tell } from '../commands/perform.ts'
import type { ExitCode } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { serveAlone } from './alone.ts'
import { exitOnFaults, makeLogger } from './logger.ts'

/**
 * `serve`: migrates, fills an empty database if `demo` says so, and takes requests until it is told to stop; then it takes no
 * more, finishes those that run and gives 0. What several processes need is loaded only for them.
 */
export const serve = async (terminal: Terminal, demo: boolean): Promise<ExitCode> => {
  const read = settingsOf(terminal)
  if (E.isLeft(read)) return tell(terminal, read.left)
  const settings = read.right
  if (settings.workers > 1) {
    const { serveTogether } = await import('./cluster/together.ts')
    return serveTogether(settings, terminal, demo)
  }
  const logger = makeLogger(settings.logLevel)
  exitOnFaults(logger)
  return serveAlone({ settings, demo, logger }, terminal)
}
