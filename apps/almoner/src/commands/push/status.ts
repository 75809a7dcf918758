import { type Provider, type ProviderState, toRfc3339 } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Printout, type Work } from '../../cli/command.ts'
import { notAvailable } from '../../cli/failure.ts'
import { table } from '../../cli/table.ts'
import { isCarried, type PushWay, unsentNote } from '../../config/push.ts'
import { pauseDocument } from './document.ts'

/** Why nothing goes out by a provider that is not paused; empty where pushes do. */
const whyOff = (push: PushWay, provider: Provider): string =>
  unsentNote(push) ?? (isCarried(push, provider) ? '' : 'ALMONER_PUSH does not name it')

const document =
  (push: PushWay) =>
  ({ provider, pause, overrideUntil }: ProviderState) => {
    if (O.isSome(pause)) return { state: 'paused', ...pauseDocument(pause.value) }
    const reason = whyOff(push, provider)
    if (O.isSome(overrideUntil))
      return { state: 'believed', provider, reason, since: '', until: toRfc3339(overrideUntil.value) }
    return { state: reason === '' ? 'running' : 'off', provider, reason, since: '', until: '' }
  }

type Row = ReturnType<ReturnType<typeof document>>

const rowOf = ({ state, provider, reason, since, until }: Row): ReadonlyArray<string> => [
  provider,
  state,
  since,
  state === 'paused' && until === '' ? `almoner push resume ${provider}` : until,
  reason,
]

const printout = (states: ReadonlyArray<ProviderState>, push: PushWay): Printout => {
  const json = states.map(document(push))
  return { text: table(['PROVIDER', 'STATE', 'SINCE', 'UNTIL', 'REASON'], json.map(rowOf)), json }
}

/**
 * `push status`: each provider, whether it runs or is paused, since and until when, and why (G5). One that is `believed` is not stopped by
 * any number of dead tokens until then. One is `off` where the settings of this command send nothing by it.
 */
export const showPushStatus: Work = (settings) =>
  onDatabase(({ providers, clock }) =>
    pipe(
      providers.states(clock.now()),
      TE.bimap(notAvailable('the database'), (states) => printout(states, settings.push)),
    ),
  )(settings)
