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

type Shared = Settings[(typeof SHARED)[number]]

const isOption = (value: Shared): value is Extract<Shared, O.Option<unknown>> =>
  typeof value === 'object' && '_tag' in value

const textOf = (value: Shared): string => {
  if (isOption(value)) return O.isNone(value) ? 'none' : String(value.value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A folder may have another path on each machine. */
const mediaText = ({ media }: Settings): string =>
  media.kind === 'folder' ? 'a folder' : `s3://${media.bucket}/${media.prefix}`

const pushText = ({ push }: Settings): string =>
  push.kind === 'providers' ? push.providers.join(',') : push.kind

/** Returns the settings that must agree on all nodes, as texts by the names of their variables. */
export const sharedSettings = (settings: Settings): Texts => ({
  [SETTINGS.media.name]: mediaText(settings),
  [SETTINGS.push.name]: pushText(settings),
  ...Object.fromEntries(SHARED.map((key) => [SETTINGS[key].name, textOf(settings[key])])),
})
