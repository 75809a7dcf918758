import { PROVIDERS, type Provider } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Checked } from '../../composition/push/checked.ts'
import { openProviders } from '../../composition/push/providers.ts'
import { nameOf, type OptionalKey } from '../../composition/push/required.ts'
import type { Settings } from '../../config/definitions.ts'
import { isCarried } from '../../config/push.ts'
import { type Check, type Found, fault, ok, warning } from './finding.ts'
import { pushFileFinding } from './push-file.ts'

const MEND = 'mend the setting, or leave the provider out of ALMONER_PUSH'

const ofChecked = (checked: Checked<unknown>, fine: string): ReadonlyArray<Found> =>
  E.isLeft(checked) ? checked.left.map((line) => fault(line, MEND)) : [ok(fine)]

const ofProviders = async (settings: Settings): Promise<ReadonlyArray<Found>> => {
  const { authority, providers, close } = await openProviders(settings)
  await close()
  return [
    ...(E.isLeft(authority) ? ofChecked(authority, '') : []),
    ...providers.flatMap(({ provider, opened }) =>
      ofChecked(opened, `${provider}: the credentials can be used`),
    ),
  ]
}

/** Settings that say that a provider was meant. */
const MEANT: Readonly<Record<Provider, ReadonlyArray<OptionalKey>>> = {
  fcm: ['fcmCredentials'],
  apns: ['apnsKey', 'apnsKeyId', 'apnsTeamId', 'apnsTopic'],
  webpush: ['vapidPublicKey', 'vapidPrivateKey', 'vapidSubject'],
}

const isNamed = ({ push }: Settings, provider: Provider): boolean =>
  push.kind === 'providers' && isCarried(push, provider)

const leftOut = (settings: Settings): ReadonlyArray<Found> =>
  PROVIDERS.filter((provider) => !isNamed(settings, provider)).flatMap((provider) => {
    const set = MEANT[provider].filter((key) => O.isSome(settings[key])).map(nameOf)
    return set.length === 0
      ? []
      : [warning(`${set.join(', ')}: set, and not used`, `name ${provider} in ALMONER_PUSH to use it`)]
  })

const strayDefault = ({ push, pushDefault }: Settings): ReadonlyArray<Found> =>
  O.isNone(pushDefault) || isCarried(push, pushDefault.value)
    ? []
    : [
        warning(
          `device tokens of no known kind count as ${pushDefault.value}, to which nothing is sent`,
          `name ${pushDefault.value} in ALMONER_PUSH, or change ALMONER_PUSH_DEFAULT`,
        ),
      ]

const ofWay = async (settings: Settings): Promise<ReadonlyArray<Found>> => {
  const { push } = settings
  switch (push.kind) {
    case 'log':
      return [
        warning(
          'pushes are only written into the log: no device gets any',
          'name the providers in ALMONER_PUSH',
        ),
      ]
    case 'file':
      return [await pushFileFinding(push.path)]
    case 'providers':
      return ofProviders(settings)
  }
}

/** Whether pushes can go out, as far as that is known without asking anybody. */
export const pushCheck: Check = {
  name: 'push',
  look: async (settings) => [...(await ofWay(settings)), ...leftOut(settings), ...strayDefault(settings)],
}
