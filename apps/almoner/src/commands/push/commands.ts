import type { Provider, ProviderState } from '@almoner/domain/notifications'
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

const document =
  (push: PushWay) =>
  ({ provider, pause, overrideUntil }: ProviderState) => {
    if (O.isSome(pause)) return { state: 'paused', ...pauseDocument(pause.value) }
    const reason = whyOff(push, provider)
    const unpaused = reason === '' ? 'running' : 'off'
    const state = O.isSome(overrideUntil) ? 'override' : unpaused
    return { state, provider, reason, since: '', until: timeText(overrideUntil) }
  }

type Row = ReturnType<ReturnType<typeof document>>

const rowOf = ({ state, provider, reason, since, until }: Row): ReadonlyArray<string> => [
  provider,
  state,
  since,
  state === 'paused' && until === '' ? `almoner push resume ${provider}` : until,
  reason,
]

/**
 * `push status`: shows for each provider whether it runs or is paused, since and until when, and why (G5). One that is `override` is not
 * paused by any number of dead tokens until then. One is `off` where the settings of this command send nothing by it.
 */
const showPushStatus: Command = {
  usage: 'push status',
  summary: 'show which providers are paused, and why',
  async run({ service, settings }) {
    const { providers, clock } = await service.ports()
    const json = (await fromDatabase(providers.states(clock.now()))).map(document(settings.push))
    return { text: table(['PROVIDER', 'STATE', 'SINCE', 'UNTIL', 'REASON'], json.map(rowOf)), json }
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

/** `push resume PROVIDER [--ignore-unregistered-for TIME]`: ends a pause (G5); for that time no number of dead tokens starts another one. */
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
    const was = O.isSome(ended)
      ? `${provider} is resumed; it was paused since ${toRfc3339(ended.value.since)}: ${ended.value.reason}`
      : `${provider} was not paused`
    return {
      text: until === '' ? was : `${was}\nits reports of unregistered devices do not pause it until ${until}`,
      json: { provider, ended: O.isSome(ended) ? pauseDocument(ended.value) : null, overrideUntil: until },
    }
  },
}

export const PUSH_COMMANDS: ReadonlyArray<Command> = [showPushStatus, pausePush, resumePush]
