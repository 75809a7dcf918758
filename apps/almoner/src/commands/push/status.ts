import { type ProviderState, toRfc3339 } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { notAvailable } from '../../failure.ts'
import { onDatabase, type Printout, type Work } from '../command.ts'
import { table } from '../table.ts'
import { pauseDocument } from './document.ts'

const document = ({ provider, pause, believedUntil }: ProviderState) => {
  if (O.isSome(pause)) return { state: 'paused', ...pauseDocument(pause.value) }
  const [state, until] = O.isSome(believedUntil)
    ? ['believed', toRfc3339(believedUntil.value)]
    : ['running', '']
  return { state, provider, reason: '', since: '', until }
}

type Row = ReturnType<typeof document>

const rowOf = ({ state, provider, reason, since, until }: Row): ReadonlyArray<string> => [
  provider,
  state,
  since,
  state === 'paused' && until === '' ? `almoner push resume ${provider}` : until,
  reason,
]

const printout = (states: ReadonlyArray<ProviderState>): Printout => {
  const json = states.map(document)
  return { text: table(['PROVIDER', 'STATE', 'SINCE', 'UNTIL', 'REASON'], json.map(rowOf)), json }
}

/**
 * `push status`: each provider, whether it runs or is paused, since and until when, and why (G5). One that is `believed` is not stopped by
 * any number of dead tokens until then.
 */
export const showPushStatus: Work = onDatabase(({ providers, clock }) =>
  pipe(providers.states(clock.now()), TE.bimap(notAvailable('the database'), printout)),
)
