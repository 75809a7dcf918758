import type { Pause, ProviderState } from '@almoner/domain/delivery'
import type { Provider } from '@almoner/domain/people'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { after, durationOption, providerArgument } from '../../cli/arguments.ts'
import { actedBy, type Command, firstOf } from '../../cli/command.ts'
import { table } from '../../cli/table.ts'
import { isCarried, type PushWay, unsentNote } from '../../config/push.ts'
import { fromDatabase } from '../../failure.ts'
import { pauseDocument } from '../../jobs/review.ts'

const timeText = O.match(() => '', toRfc3339)

/** Why nothing is sent by a provider that is not paused; empty where pushes are sent. */
const whyOff = (push: PushWay, provider: Provider): string =>
  unsentNote(push) ?? (isCarried(push, provider) ? '' : 'ALMONER_PUSH does not name it')

/** The word for each kind of pause. */
const STATES: Readonly<Record<Pause['kind'], string>> = { stopped: 'paused', probed: 'probed', held: 'held' }

const pausedRow = (pause: Pause) => ({ state: STATES[pause.kind], ...pauseDocument(pause) })

const wholeRow = (push: PushWay, { provider, pause, overrideUntil }: ProviderState) => {
  if (O.isSome(pause)) return pausedRow(pause.value)
  const reason = whyOff(push, provider)
  const unpaused = reason === '' ? 'running' : 'off'
  const state = O.isSome(overrideUntil) ? 'override' : unpaused
  return { state, provider, server: '', reason, since: '', until: timeText(overrideUntil) }
}

/** One row for a provider as a whole, and one for each of its servers that is paused. */
const rowsOf = (push: PushWay) => (state: ProviderState) => [
  wholeRow(push, state),
  ...state.origins.map(pausedRow),
]

type Row = ReturnType<typeof wholeRow>

const columnsOf = ({ state, provider, server, reason, since, until }: Row): ReadonlyArray<string> => [
  server === '' ? provider : `${provider} ${server}`,
  state,
  since,
  state === 'paused' && until === '' ? `almoner push resume ${provider}` : until,
  reason,
]

/**
 * `push status`: shows for each provider, and for each of its servers with a pause, the state, since and until when, and why (G5, G15). `probed`:
 * one device at a time is sent to. `held`: the server has asked us to wait. `override`: no number of dead tokens pauses it until then. `off`: the
 * settings of this command send nothing by it.
 */
const showPushStatus: Command = {
  usage: 'push status',
  summary: 'show which providers are paused, and why',
  async run({ service, settings }) {
    const { providers, clock } = await service.ports()
    const json = (await fromDatabase(providers.states(clock.now()))).flatMap(rowsOf(settings.push))
    return { text: table(['PROVIDER', 'STATE', 'SINCE', 'UNTIL', 'REASON'], json.map(columnsOf)), json }
  },
}

/** `push pause PROVIDER`: pauses a provider on all processes until `push resume` (G5). */
const pausePush: Command = {
  usage: 'push pause <PROVIDER>',
  summary: 'pause a provider until it is resumed: fcm, apns or webpush',
  async run({ args, service }) {
    const provider = providerArgument('PROVIDER', firstOf(args))
    const { providers, clock } = await service.ports()
    const act = { ...actedBy('push pause', { clock }), action: 'pause-provider' } as const
    const pause = pauseDocument(await fromDatabase(providers.pause(provider, clock.now(), act)))
    return { text: `${provider} is paused since ${pause.since}: ${pause.reason}`, json: pause }
  },
}

/** `push resume PROVIDER [--ignore-unregistered-for TIME]`: ends the pauses of a provider and all its servers (G5, G15); for that time no number of dead tokens starts another one. */
const resumePush: Command<{ readonly ignoreUnregisteredFor?: string }> = {
  usage: 'push resume <PROVIDER>',
  summary: 'resume a paused provider: fcm, apns or webpush',
  options: [
    ['--ignore-unregistered-for <time>', 'for how long no number of dead tokens pauses it again, such as 1h'],
  ],
  async run({ args, options, service }) {
    const provider = providerArgument('PROVIDER', firstOf(args))
    const time = durationOption('--ignore-unregistered-for', options.ignoreUnregisteredFor)
    const { providers, clock } = await service.ports()
    const now = clock.now()
    const overrideUntil = after(now, time)
    const act = { ...actedBy('push resume', { clock }), action: 'resume-provider' } as const
    const ended = await fromDatabase(providers.resume(provider, { now, overrideUntil }, act))
    const until = timeText(overrideUntil)
    const was =
      ended.length === 0
        ? [`${provider} was not paused`]
        : ended.map(
            ({ origin, since, reason }) =>
              `${origin} is resumed; it was paused since ${toRfc3339(since)}: ${reason}`,
          )
    const override =
      until === '' ? [] : [`its reports of unregistered devices do not pause it until ${until}`]
    return {
      text: [...was, ...override].join('\n'),
      json: { provider, ended: ended.map(pauseDocument), overrideUntil: until },
    }
  },
}

export const PUSH_COMMANDS: ReadonlyArray<Command> = [showPushStatus, pausePush, resumePush]
