import * as O from 'fp-ts/lib/Option.js'
import { SETTINGS, type Settings } from './definitions.ts'

type Texts = Readonly<Record<string, string>>

/** What has to be the same on all nodes of a service, or they answer and send differently. No secret is among these. */
const COMMON = [
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

type Common = Settings[(typeof COMMON)[number]]

const isOption = (value: Common): value is Extract<Common, O.Option<unknown>> =>
  typeof value === 'object' && '_tag' in value

const textOf = (value: Common): string => {
  if (isOption(value)) return O.isNone(value) ? 'none' : String(value.value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A folder may have another path on each machine. */
const mediaText = ({ media }: Settings): string =>
  media.kind === 'folder' ? 'a folder' : `s3://${media.bucket}/${media.prefix}`

const pushText = ({ push }: Settings): string =>
  push.kind === 'providers' ? push.providers.join(',') : push.kind

/** The settings that all nodes have to have in common, as texts by the names of their variables. */
export const commonSettings = (settings: Settings): Texts => ({
  [SETTINGS.media.name]: mediaText(settings),
  [SETTINGS.push.name]: pushText(settings),
  ...Object.fromEntries(COMMON.map((key) => [SETTINGS[key].name, textOf(settings[key])])),
})
