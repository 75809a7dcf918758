import type { Pause, ProviderState } from '@almoner/domain/delivery'
import type { Provider } from '@almoner/domain/people'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import {
  actedBy,
  after,
  type Command,
  durationOption,
  firstOf,
  providerArgument,
  table,
} from '../cli/command.ts'
import { isCarried, type PushWay, unsentNote } from '../config/push.ts'
import { fromDatabase } from '../failure.ts'
import { pauseDocument } from '../jobs/review.ts'

const FCM_KEY =
  'make a new key for the service account, name its file in ALMONER_FCM_CREDENTIALS, and see that the clock of this machine is right'
const FCM_TOKENS = 'see that token_uri in the file of ALMONER_FCM_CREDENTIALS is as Google gave it out'
const FCM_RIGHTS =
  "switch the project's Firebase Cloud Messaging API on, and give the service account the role Firebase Cloud Messaging API Admin"
const FCM_PLACE =
  'see that ALMONER_FCM_URL leads to FCM, and that the project of the service account still exists'
const FCM_PROJECT = 'take a service account of the Firebase project that the app registers with'
const APNS_KEY =
  'see that ALMONER_APNS_KEY, ALMONER_APNS_KEY_ID and ALMONER_APNS_TEAM_ID belong together and the key has not been revoked'
const APNS_TOPIC =
  'see that ALMONER_APNS_TOPIC is the bundle id of an app of the team, for which the key may push'
const APNS_ENVIRONMENT = 'take a key that is made for production, or for both environments'
const APNS_PLACE = 'see that ALMONER_APNS_URL leads to APNs, and that nothing on the way changes requests'
const VAPID =
  'see that the VAPID keys are those that browsers subscribe with, that ALMONER_VAPID_SUBJECT is an address of yours, and that the clock of this machine is right'
const CERTIFICATE =
  'see that the address is right; where a proxy answers, name its authority in ALMONER_PUSH_CA'

/** Advice by the reasons with which each gateway reports rejected credentials. */
const BY_REASON: Readonly<Record<Provider, Readonly<Record<string, string>>>> = {
  fcm: {
    CERTIFICATE,
    private_key: FCM_KEY,
    invalid_grant: FCM_KEY,
    invalid_client: FCM_KEY,
    unauthorized_client: FCM_KEY,
    UNAUTHENTICATED: FCM_KEY,
    'HTTP 401': FCM_KEY,
    invalid_request: FCM_TOKENS,
    unsupported_grant_type: FCM_TOKENS,
    invalid_scope: FCM_TOKENS,
    access_denied: FCM_RIGHTS,
    PERMISSION_DENIED: FCM_RIGHTS,
    'HTTP 403': FCM_RIGHTS,
    NOT_FOUND: FCM_PLACE,
    UNIMPLEMENTED: FCM_PLACE,
    'HTTP 404': FCM_PLACE,
    SENDER_ID_MISMATCH: FCM_PROJECT,
    THIRD_PARTY_AUTH_ERROR: "give the Firebase project a valid APNs key, or the web app's own VAPID key",
  },
  apns: {
    CERTIFICATE,
    BadTopic: APNS_TOPIC,
    MissingTopic: APNS_TOPIC,
    TopicDisallowed: APNS_TOPIC,
    InvalidProviderToken: APNS_KEY,
    UnrelatedKeyIdInToken: APNS_KEY,
    Forbidden: APNS_KEY,
    'HTTP 403': APNS_KEY,
    ExpiredProviderToken: 'set the clock of this machine right',
    BadEnvironmentKeyInToken: APNS_ENVIRONMENT,
    BadEnvironmentKeyIdInToken: APNS_ENVIRONMENT,
    BadPath: APNS_PLACE,
    MethodNotAllowed: APNS_PLACE,
    MissingProviderToken: APNS_PLACE,
    'HTTP 404': APNS_PLACE,
    'HTTP 405': APNS_PLACE,
  },
  webpush: {},
}

const OTHERWISE: Readonly<Record<Provider, string>> = {
  fcm: `${FCM_RIGHTS}; ${FCM_PLACE}`,
  apns: `${APNS_KEY}; ${APNS_TOPIC}`,
  webpush: VAPID,
}

/** What an operator may do about a provider that refuses us, by the word that the gateway has for it. */
export const adviceFor = (provider: Provider, reason: string): string => {
  const known = BY_REASON[provider]
  return (Object.hasOwn(known, reason) ? known[reason] : undefined) ?? OTHERWISE[provider]
}

const PLACES: Readonly<Record<Provider, string>> = {
  fcm: 'ALMONER_FCM_URL, and token_uri in the file of ALMONER_FCM_CREDENTIALS,',
  apns: 'ALMONER_APNS_URL',
  webpush: 'the push service',
}

/** What an operator may do about a provider that does not answer. */
export const adviceOnSilence = (provider: Provider): string =>
  `see that ${PLACES[provider]} can be reached from this machine, and ask again`

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
