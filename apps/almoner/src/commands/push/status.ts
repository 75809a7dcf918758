import type { Pause } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { notAvailable } from '../../failure.ts'
import { onDatabase, type Printout, type Work } from '../command.ts'
import { table } from '../table.ts'
import { pauseDocument } from './document.ts'

const printout = (pauses: ReadonlyArray<Pause>): Printout => {
  const json = pauses.map(pauseDocument)
  const rows = json.map(({ provider, since, until, reason }) => [
    provider,
    since,
    until === '' ? `almoner push resume ${provider}` : until,
    reason,
  ])
  const text = json.length === 0 ? 'nothing is paused' : table(['PAUSED', 'SINCE', 'UNTIL', 'REASON'], rows)
  return { text, json }
}

/** `push status`: which providers are paused, since and until when, and why (G5). */
export const showPushStatus: Work = onDatabase(({ providers, clock }) =>
  pipe(providers.pauses(clock.now()), TE.bimap(notAvailable('the database'), printout)),
)
