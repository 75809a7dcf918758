import { decode } from '@almoner/domain'
import { type MessageText, messageOf, NO_LINKS, type Push, toDateTime } from '@almoner/domain/notifications'
import { type Destination, type DeviceId, DeviceToken, mayPushTo, recognise } from '@almoner/domain/people'
import { addMillis, instant, NotificationId, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Command } from '../../cli/command.ts'
import { nodePorts } from '../../composition/ports.ts'
import type { Service } from '../../composition/service.ts'
import type { Settings } from '../../config/definitions.ts'
import { isCarried } from '../../config/push.ts'
import { failed, misused } from '../../failure.ts'
import { outcomeDocument, outcomeLine } from './outcome.ts'
import { previewOf } from './preview.ts'

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
    const message =
      id === undefined
        ? sampleOf(service)
        : { notificationId: id, message: (await previewOf(service, id)).message }
    const endsAt = addMillis(nodePorts().clock.now(), settings.notificationLife * SECOND)
    const result = await gateway.send({ ...ATTACHED, ...message, destination, endsAt })()
    const json = outcomeDocument(provider, settings.push, result)
    const text = outcomeLine(json)
    if (json.outcome === 'delivered') return { text, json }
    // A program gets the document too.
    if (asJson) return { text, json, failure: failed(text) }
    throw failed(text)
  },
}
