import type { Instant } from '@almoner/domain'
import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import {
  DELIVERED,
  type Push,
  type PushResult,
  REFUSED,
  refused,
  retry,
  senderError,
  UNANSWERED,
} from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'
import { addMillis, MINUTE, type NotificationId } from '@almoner/domain/values'
import type { Task } from 'fp-ts/lib/Task.js'
import { makeTimeLimit } from '../connections.ts'
import { fingerprintOf } from '../credentials.ts'
import { APPLE, type ApnsOptions } from './options.ts'
import { resultOf } from './outcomes.ts'
import { makeProviderToken, type ProviderToken } from './provider-token.ts'
import { bodyOf, headersOf } from './request.ts'
import { openServer, type Server } from './server.ts'

/** Of the form of a device's, and no device's. */
const TOKEN = '0'.repeat(64)
const ID = '00000000-0000-7000-8000-000000000000'

/** A push that arrives nowhere, by which credentials are tried. */
const probePush = (now: Instant): Push => ({
  notificationId: ID as NotificationId,
  deviceId: 0 as DeviceId,
  destination: { provider: 'apns', sandbox: false, token: TOKEN },
  message: {
    title: 'Almoner',
    subtitle: '',
    body: '',
    data: {
      notificationId: ID,
      lang: '',
      resourceType: '',
      resourceId: '',
      actionUrl: '',
      visualUrl: '',
      iconUrl: '',
      color: '',
    },
  },
  attachedAt: now,
  endsAt: addMillis(now, MINUTE),
})

/** A gateway to the devices of Apple. */
export interface ApnsGateway extends PushGateway {
  /**
   * Sends to an invalid device of production. Resolves to Delivered if only the device is wrong, so that key, team and topic are accepted. Apple
   * offers no other check.
   */
  readonly check: Task<PushResult>
  /** Takes no more pushes, lets those in flight be answered, then hangs up. Closing twice is the same as once. */
  close(): Promise<void>
}

/** Milliseconds reserved for work other than waiting. */
const MARGIN = 500
/** What a device token can be; anything else would be another path. */
const DEVICE = /^[0-9a-f]+$/i

type Environment = keyof typeof APPLE

/** Opens the connections at first use; `of` returns undefined if key or URL are invalid. */
const makeServers = (options: ApnsOptions, limit: number) => {
  const opened = new Map<Environment, Server>()
  const origins = { production: options.url, sandbox: options.sandboxUrl }
  let token: ProviderToken | undefined
  const open = (environment: Environment): Server => {
    token ??= makeProviderToken(options)
    return openServer(origins[environment] ?? APPLE[environment], options, token, limit)
  }
  return {
    of: (environment: Environment): Server | undefined => {
      try {
        const server = opened.get(environment) ?? open(environment)
        opened.set(environment, server)
        return server
      } catch {
        // What it says may hold the key.
        return undefined
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([...opened.values()].map(({ close }) => close()))
      opened.clear()
    },
  }
}

/**
 * Opens a gateway to APNs, over HTTP/2 with a provider token (G5, G6). Nothing is connected before the first push of its environment.
 * An answer, a fault of the connection, silence: each is a result; nothing rejects or throws. A result's reason is Apple's own word, the
 * number of a status, or ours.
 */
export const openApns = (options: ApnsOptions): ApnsGateway => {
  const { limit = ANSWER_WITHIN - MARGIN, clock, topic } = options
  const servers = makeServers(options, limit)
  const timeLimit = makeTimeLimit(limit, options.startTimer)
  let isClosed = false

  const send = async (push: Push): Promise<PushResult> => {
    const { destination, message } = push
    if (destination.provider !== 'apns') return REFUSED
    if (!DEVICE.test(destination.token)) return refused('no hexadecimal digits')
    if (isClosed) return retry()
    const server = servers.of(destination.sandbox ? 'sandbox' : 'production')
    if (server === undefined) return senderError('the key or the address cannot be used')
    const outgoing = { headers: headersOf(push, topic), body: bodyOf(message) }
    return timeLimit.run<PushResult>(UNANSWERED, (deadline) =>
      server
        .ask(destination.token, outgoing, deadline)
        .then((exchanged) => resultOf(exchanged, push, clock.now())),
    )
  }

  return {
    credentials: { apns: fingerprintOf(options.key, options.keyId, options.teamId, options.topic) },
    bytesOf: (message) => bodyOf(message).length,
    send: (push) => () => send(push),
    check: async () => {
      const result = await send(probePush(options.clock.now()))
      return result._tag === 'Unregistered' ? DELIVERED : result
    },
    close: async () => {
      isClosed = true
      await timeLimit.idle()
      await servers.close()
    },
  }
}
