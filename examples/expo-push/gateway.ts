import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import {
  DELIVERED,
  type Push,
  type PushMessage,
  type PushResult,
  refused,
  retry,
  senderError,
  unregistered,
} from '@almoner/domain/notifications'
import type { PushGateway } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'

export interface ExpoOptions {
  /** The origin of the push service; by default Expo's. */
  readonly url?: string
  /** The access token of the Expo account, if its push security is on. */
  readonly accessToken?: string
}

/** Expo's answer for one message: https://docs.expo.dev/push-notifications/sending-notifications/ */
interface Ticket {
  readonly status?: 'ok' | 'error'
  readonly details?: { readonly error?: string }
}

/** The meaning of the error of a ticket. An error that is not in the table may pass, so the push is retried. */
const BY_ERROR: Readonly<Record<string, PushResult>> = {
  DeviceNotRegistered: unregistered('DeviceNotRegistered'),
  MessageTooBig: refused('MessageTooBig'),
  InvalidCredentials: senderError('InvalidCredentials'),
  MismatchSenderId: senderError('MismatchSenderId'),
}

/** The meaning of a status other than 200. Every other one is an error of the service, or of too many requests. */
const BY_STATUS: Readonly<Record<number, PushResult>> = {
  400: refused('status 400'),
  401: senderError('status 401'),
  403: senderError('status 403'),
  413: refused('status 413'),
}

const ofTicket = ({ status, details }: Ticket): PushResult => {
  if (status === 'ok') return DELIVERED
  const error = details?.error ?? 'no ticket'
  return BY_ERROR[error] ?? retry(O.none, error)
}

const resultOf = async (response: Response): Promise<PushResult> => {
  if (response.ok) {
    const { data = {} } = (await response.json()) as { readonly data?: Ticket }
    return ofTicket(data)
  }
  await response.body?.cancel()
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const after = Number.isFinite(seconds) ? O.some(seconds * 1000) : O.none
  return BY_STATUS[response.status] ?? retry(after, `status ${response.status}`)
}

const bodyOf = ({ title, subtitle, body, data }: PushMessage) => ({ title, subtitle, body, data })

const requestOf = ({ message, endsAt }: Push, token: string) =>
  JSON.stringify({ to: token, expiration: Math.floor(endsAt / 1000), ...bodyOf(message) })

/** Sends pushes through Expo, one message a request. Never rejects. */
export const expoGateway = ({ url = 'https://exp.host', accessToken }: ExpoOptions = {}): PushGateway => {
  const headers = {
    'content-type': 'application/json',
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  }
  return {
    providers: new Set(['expo']),
    bytesOf: (message) => Buffer.byteLength(JSON.stringify(bodyOf(message))),
    send: (push) => async () => {
      const { destination } = push
      if (destination.provider !== 'expo') return refused('no device of Expo')
      try {
        const response = await fetch(`${url}/--/api/v2/push/send`, {
          method: 'POST',
          headers,
          body: requestOf(push, destination.token),
          // Less than the domain waits for.
          signal: AbortSignal.timeout(ANSWER_WITHIN - 500),
        })
        return await resultOf(response)
      } catch {
        // The reason of a failed request may hold the address, so it is not repeated.
        return retry(O.none, 'no answer')
      }
    },
  }
}
