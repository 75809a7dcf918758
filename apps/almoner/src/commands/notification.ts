import { decode, type Unavailable } from '@almoner/domain'
import {
  type MessageText,
  makePreviewNotification,
  messageOf,
  NO_LINKS,
  type NotificationNotFound,
  PAYLOAD_LIMIT,
  type Preview,
  type Push,
  type PushResult,
  type Topic,
  toDateTime,
} from '@almoner/domain/notifications'
import {
  type Destination,
  type DeviceId,
  DeviceToken,
  mayPushTo,
  type Provider,
  recognise,
} from '@almoner/domain/people'
import { addMillis, instant, NotificationId, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { argument, type Command, firstOf } from '../cli/command.ts'
import { nodePorts } from '../composition/media.ts'
import { rejectUnknownAddress, type Service } from '../composition/service.ts'
import type { Settings } from '../config/definitions.ts'
import { isCarried, type PushWay } from '../config/push.ts'
import { type CommandFailed, databaseNotAvailable, failed, misused, orFail } from '../failure.ts'
import { adviceFor } from './push.ts'

const failure = (why: NotificationNotFound | Unavailable): CommandFailed =>
  why._tag === 'NotificationNotFound' ? failed('there is no such notification') : databaseNotAvailable(why)

/** Resolves to the recipients and the message that a notification would have now. */
const previewOf = async (service: Service, id: NotificationId): Promise<Preview> => {
  rejectUnknownAddress(service.settings)
  const pushGateway = await service.pushGateway()
  const { mediaAddresses } = service.address
  const ports = { ...(await service.ports()), mediaAddresses, pushGateway }
  return orFail(makePreviewNotification(ports, service.policy)(id), failure)
}

const topicLine = ({ labelId, people }: Topic): string =>
  `${labelId}, which ${people} of its people follow; the others follow everything`

const textOf = (preview: Preview): string => {
  const { recipients, bytes, smallerLimits, message, topic } = preview
  const { id, lang, date } = preview.notification
  const kinds = Object.entries(recipients).map(([kind, count]) => `${kind} ${count}`)
  // JSON escapes the control characters of ASCII; the others would move the cursor of a terminal too.
  const shown = JSON.stringify(message, null, 2).replaceAll(/[\u007f-\u009f]/g, '?')
  return [
    `notification  ${id}`,
    `language      ${lang}`,
    `date          ${O.isSome(date) ? `${toDateTime(date.value)} UTC` : 'none: it never goes out'}`,
    ...(O.isSome(topic) ? [`topic         ${topicLine(topic.value)}`] : []),
    `recipients    ${kinds.join(', ')}`,
    `size          ${bytes} of ${PAYLOAD_LIMIT} bytes`,
    ...smallerLimits.map(
      (one) =>
        `              ${one.service} ${one.bytes} of ${one.most} bytes${one.bytes > one.most ? ', too large' : ''}`,
    ),
    `message       ${shown}`,
  ].join('\n')
}

/** `notification preview ID`: shows the devices that it would go to now, by kind, and the message; sends nothing. */
export const previewNotification: Command = {
  usage: 'notification preview <ID>',
  summary: 'show who would get a notification now, and its content',
  async run({ args, service }) {
    const preview = await previewOf(service, argument('ID', NotificationId, firstOf(args)))
    const { notification, topic, ...rest } = preview
    const json = {
      notificationId: notification.id,
      topic: O.toNullable(topic),
      limit: PAYLOAD_LIMIT,
      ...rest,
    }
    return { text: textOf(preview), json }
  },
}

const OUTCOMES = {
  Delivered: 'delivered',
  Unregistered: 'dead',
  Retry: 'retry',
  Refused: 'refused',
  SenderError: 'fault',
} as const satisfies Record<PushResult['_tag'], string>

const secondsOf = (result: PushResult): number | null =>
  result._tag === 'Retry' && O.isSome(result.after) ? Math.ceil(result.after.value / SECOND) : null

/** Makes the document of a push to a provider, or to the sink in its place. */
const outcomeDocument = (provider: Provider, { kind }: PushWay, result: PushResult) => ({
  provider,
  by: kind === 'providers' ? provider : kind,
  outcome: OUTCOMES[result._tag],
  /** Seconds that the provider asks to wait before another try. */
  retryAfter: secondsOf(result),
  reason: result._tag === 'Delivered' ? '' : result.reason,
})

/** Describes a result in a line for a person. */
const outcomeLine = ({
  provider,
  by,
  outcome,
  retryAfter,
  reason,
}: ReturnType<typeof outcomeDocument>): string => {
  const word = reason === '' ? '' : `: ${reason}`
  switch (outcome) {
    case 'delivered':
      return by === provider
        ? `${provider}: delivered`
        : `${provider}: written into the ${by}, and sent to no device`
    case 'dead':
      return `${provider}: dead${word}: there is no such device any more`
    case 'retry':
      return `${provider}: retry${retryAfter === null ? '' : ` after ${retryAfter} s`}${word || ': no answer'}`
    case 'refused':
      return `${provider}: refused${word}: this push will never be taken for this device`
    case 'fault':
      return `${provider}: our fault: ${reason}; ${adviceFor(provider, reason)}`
  }
}

const UNROUTABLE =
  '--device is of no known kind: give it a prefix (fcm:, fid:, apns:, apns-sandbox:, webpush:), or set ALMONER_PUSH_DEFAULT'
const ELSEWHERE = '--device is a subscription at a host that ALMONER_WEBPUSH_HOSTS does not list'

/** Reads where a token leads (F5), or an error that does not hold the token. */
const readDevice = ({ pushDefault, webPushHosts }: Settings, text: string): E.Either<string, Destination> => {
  if (text === '') return E.left('--device must not be empty')
  const token = decode(DeviceToken)(text)
  if (E.isLeft(token)) return E.left(`--device ${token.left.errors[0].message}`)
  const destination = recognise(token.right, O.toUndefined(pushDefault))
  if (destination === undefined) return E.left(UNROUTABLE)
  return destination.provider === 'webpush' && !mayPushTo(webPushHosts)(destination.subscription.endpoint)
    ? E.left(ELSEWHERE)
    : E.right(destination)
}

/** Reads the arguments, or throws a line for each that is wrong. */
const readArguments = (settings: Settings, device: string, text: string | undefined) => {
  const destination = readDevice(settings, device)
  const id = text === undefined ? E.right(undefined) : decode(NotificationId)(text)
  if (E.isRight(destination) && E.isRight(id)) return { destination: destination.right, id: id.right }
  throw misused(
    ...(E.isLeft(destination) ? [destination.left] : []),
    ...(E.isLeft(id) ? [`ID ${id.left.errors[0].message}`] : []),
  )
}

/** The message of a test without a notification. It holds the time, so that several can be told apart. */
const sampleOf = ({ policy }: Service): Pick<Push, 'notificationId' | 'message'> => {
  const { ids, clock } = nodePorts()
  const notificationId = ids.nextNotificationId()
  const text = {
    id: notificationId,
    lang: 'en',
    title: 'A test from Almoner' as MessageText,
    subtitle: O.none,
    description: O.some(`Sent at ${toDateTime(clock.now())} UTC. Nothing else is to be done.` as MessageText),
    date: O.none,
    resourceId: O.none,
    labelId: O.none,
  } as const
  return { notificationId, message: messageOf(text, NO_LINKS, policy.look) }
}

/** Attached before anything that a provider may know of the device, so that nothing it says about the device is outdated. */
const ATTACHED = { deviceId: 0 as DeviceId, attachedAt: instant(0) }

/** `notification test --device TOKEN [ID]`: sends one push now and shows the result. Nothing of it is stored. */
export const testNotification: Command<{ readonly device: string }> = {
  usage: 'notification test [ID]',
  summary: 'send one push now, of a notification or a sample; records nothing',
  options: [
    ['--device <token>', 'the device token, as an app would attach it; - reads it from stdin', 'required'],
  ],
  async run({ args, options, service, settings, terminal, asJson }) {
    const device = options.device === '-' ? (await terminal.input()).trim() : options.device
    const { destination, id } = readArguments(settings, device, args[0])
    const { provider } = destination
    if (!isCarried(settings.push, provider))
      throw failed(`${provider}: not sent: ALMONER_PUSH does not name ${provider}`)
    const gateway = await service.pushGateway()
    const sample = { ...sampleOf(service), topic: O.none }
    const { topic, message, notificationId } =
      id === undefined ? sample : { ...(await previewOf(service, id)), notificationId: id }
    const endsAt = addMillis(nodePorts().clock.now(), settings.notificationLife * SECOND)
    const result = await gateway.send({ ...ATTACHED, notificationId, message, destination, endsAt })()
    const json = { ...outcomeDocument(provider, settings.push, result), topic: O.toNullable(topic) }
    const text = `${outcomeLine(json)}${O.isSome(topic) ? `; topic ${topicLine(topic.value)}` : ''}`
    if (json.outcome === 'delivered') return { text, json }
    // A program gets the document too.
    if (asJson) return { text, json, failure: failed(text) }
    throw failed(text)
  },
}
