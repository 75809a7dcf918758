import {
  type Look,
  type MessageText,
  messageOf,
  NO_LINKS,
  type Push,
  type PushMessage,
} from '@almoner/domain/notifications'
import { type Destination, type DeviceId, recognise } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'
import { addMillis, type Colour } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, onEach } from './runner.ts'
import { SAMPLE_MOMENT, sampleNotification, sampleToken } from './samples.ts'

const LOOK: Look = { iconUrl: O.none, color: '#1F4E79' as Colour }

const messageWith = (title: string): PushMessage =>
  messageOf(sampleNotification(1, { title: title as MessageText }), NO_LINKS, LOOK)

/** The n-th sample device. */
const sampleDestination = (n: number): Destination => {
  const token = sampleToken(n)
  return recognise(token) ?? { provider: 'fcm', form: 'token', token }
}

/** A push of a sample to the n-th sample device. */
export const samplePush = (n: number, over: Partial<Push> = {}): Push => {
  const notification = sampleNotification(1)
  return {
    notificationId: notification.id,
    deviceId: n as DeviceId,
    destination: sampleDestination(n),
    message: messageOf(notification, NO_LINKS, LOOK),
    attachedAt: SAMPLE_MOMENT,
    endsAt: addMillis(SAMPLE_MOMENT, 86_400_000),
    ...over,
  }
}

const TAGS = ['Delivered', 'Unregistered', 'Retry', 'Refused']

/**
 * What every `PushGateway` must do.
 * @param make a gateway whose provider can be reached, and one whose provider cannot
 * @param destinationOf the n-th device of a kind that the gateway sends to; by default one of FCM
 */
export const pushGatewayContract = (
  runner: ContractRunner,
  make: (provider: 'there' | 'gone') => Promise<{
    readonly pushGateway: PushGateway
    readonly close: () => Promise<void>
  }>,
  destinationOf: (n: number) => Destination = sampleDestination,
): void => {
  const push = (n: number) => samplePush(n, { destination: destinationOf(n) })
  const given = (
    name: string,
    provider: 'there' | 'gone',
    body: (check: Check, gateway: PushGateway) => Promise<void>,
  ) =>
    onEach(
      runner,
      () => make(provider),
      ({ pushGateway }) => pushGateway,
    )(name, body)

  given(
    'G6: the size of a message grows with its text, by the bytes of its UTF-8',
    'there',
    async (check, gateway) => {
      const sizes = ['a', 'aa', 'aaa'].map((title) => gateway.bytesOf(messageWith(title)))
      check.same([(sizes[1] ?? 0) - (sizes[0] ?? 0), (sizes[2] ?? 0) - (sizes[1] ?? 0)], [1, 1])
      for (const [text, bytes] of [
        ['é', 2],
        ['日', 3],
        ['😀', 4],
      ] as const) {
        const grown = gateway.bytesOf(messageWith(`a${text}`)) - gateway.bytesOf(messageWith('a'))
        check.ok(grown >= bytes, `${text} takes at least ${bytes}`)
      }
      check.ok(gateway.bytesOf(messageWith('x'.repeat(4096))) > 4096)
    },
  )

  given(
    'G6: a size is computed without the provider, and is always the same',
    'gone',
    async (check, gateway) => {
      check.same(gateway.bytesOf(messageWith('Wells')), gateway.bytesOf(messageWith('Wells')))
    },
  )

  given('G5: each push gets a result, also when many are sent at once', 'there', async (check, gateway) => {
    const pushes = Array.from({ length: 50 }, (_, n) => push(n))
    const results = await Promise.all(pushes.map((each) => gateway.send(each)()))
    check.same(results.length, 50)
    check.ok(results.every(({ _tag }) => TAGS.includes(_tag)))
  })

  given('G5: an unreachable provider gives a result, not an error', 'gone', async (check, gateway) => {
    const results = await Promise.all([1, 2, 3].map((n) => gateway.send(push(n))()))
    check.ok(results.every(({ _tag }) => TAGS.includes(_tag)))
  })
}
