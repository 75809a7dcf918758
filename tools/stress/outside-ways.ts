// The ways of the origins of outside.ts.
import {
  apnsError,
  cut,
  fcmError,
  reply,
  type ScriptedResponse,
  webPushFault,
  webPushTooMany,
} from '../../testing/push-providers/src/index.ts'

/** How an origin answers. A frozen one would accept, but its connections have died silently; later ones work. */
export const WAYS = [
  'accepts',
  'refuses us',
  'is busy',
  'holds back',
  'is silent',
  'cuts',
  'freezes',
] as const
export type Way = (typeof WAYS)[number]

/** Seconds that an origin asks us to wait while it holds back. */
export const RETRY_AFTER = 5

type Faulty = Exclude<Way, 'accepts' | 'freezes' | 'is silent'>
type Faults = Readonly<Record<Faulty, () => ScriptedResponse>>

/** What providers answer while they fail; their documentation stands beside the makers of the answers. */
export const FAULTS: Readonly<Record<'fcm' | 'apns' | 'webpush', Faults>> = {
  fcm: {
    'refuses us': () => fcmError('SENDER_ID_MISMATCH'),
    'is busy': () => fcmError('UNAVAILABLE'),
    'holds back': () => fcmError('QUOTA_EXCEEDED', RETRY_AFTER),
    cuts: cut,
  },
  apns: {
    'refuses us': () => apnsError('InvalidProviderToken'),
    'is busy': () => apnsError('InternalServerError'),
    'holds back': () => reply(503, { 'retry-after': String(RETRY_AFTER) }, '{"reason":"ServiceUnavailable"}'),
    cuts: cut,
  },
  webpush: {
    'refuses us': () => reply(403),
    'is busy': () => webPushFault(503),
    'holds back': () => webPushTooMany(RETRY_AFTER),
    cuts: cut,
  },
}
