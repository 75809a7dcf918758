import * as O from 'fp-ts/lib/Option.js'
import { SETTINGS, type Settings } from './definitions.ts'

type Texts = Readonly<Record<string, string>>

/** Settings that must agree on all nodes of a service, or they answer and send differently. None is a secret. */
const SHARED = [
  'baseUrl',
  'mediaServe',
  'timeZone',
  'embargo',
  'tokenTtl',
  'oidcIssuer',
  'oidcClientId',
  'oidcDomains',
  'oidcTrustEmail',
  'sessionIdle',
  'sessionLife',
  'joinedYears',
  'fcmUrl',
  'apnsTeamId',
  'apnsTopic',
  'apnsUrl',
  'apnsSandboxUrl',
  'vapidPublicKey',
  'webPushHosts',
  'pushDefault',
  'notificationLife',
  'iconUrl',
  'color',
  'rateLimit',
  'corsOrigins',
] as const satisfies ReadonlyArray<keyof Settings>

const textOf = (value: Settings[(typeof SHARED)[number]]): string => {
  if (typeof value !== 'object') return String(value)
  if (!('_tag' in value)) return JSON.stringify(value)
  return O.isNone(value) ? 'none' : String(value.value)
}

/** Returns the settings that must agree on all nodes, as texts by the names of their variables. */
export const sharedSettings = ({ media, push, ...settings }: Settings): Texts => ({
  // A folder may have another path on each machine.
  [SETTINGS.media.name]: media.kind === 'folder' ? 'a folder' : `s3://${media.bucket}/${media.prefix}`,
  [SETTINGS.push.name]: push.kind === 'providers' ? push.providers.join(',') : push.kind,
  ...Object.fromEntries(SHARED.map((key) => [SETTINGS[key].name, textOf(settings[key])])),
})
