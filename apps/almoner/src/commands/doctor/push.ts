import type { PushResult } from '@almoner/domain/notifications'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { nameOf, type OptionalKey } from '../../composition/push/credentials.ts'
import type { Validated } from '../../composition/push/validated.ts'
import type { Service } from '../../composition/service.ts'
import type { Settings } from '../../config/definitions.ts'
import { isCarried } from '../../config/push.ts'
import { adviceFor, adviceOnSilence } from '../push/advice.ts'
import { pushFileFinding } from './files.ts'
import { type Check, type Found, fault, ok, warning } from './finding.ts'

const FIX = 'mend the setting, or leave the provider out of ALMONER_PUSH'

const ofChecked = (checked: Validated<unknown>, fine: string): ReadonlyArray<Found> =>
  E.isLeft(checked) ? checked.left.map((line) => fault('push-credentials', line, FIX)) : [ok(fine)]

const ofProviders = async (service: Service): Promise<ReadonlyArray<Found>> => {
  const { authority, providers } = await service.providers()
  return [
    ...(E.isLeft(authority) ? ofChecked(authority, '') : []),
    ...providers.flatMap(({ provider, opened }) =>
      ofChecked(opened, `${provider}: the credentials can be used`),
    ),
  ]
}

/** Settings that are set only for a provider. */
const OF_PROVIDER: Readonly<Record<Provider, ReadonlyArray<OptionalKey>>> = {
  fcm: ['fcmCredentials'],
  apns: ['apnsKey', 'apnsKeyId', 'apnsTeamId', 'apnsTopic'],
  webpush: ['vapidPublicKey', 'vapidPrivateKey', 'vapidSubject'],
}

const unusedSettings = (settings: Settings): ReadonlyArray<Found> => {
  const { push } = settings
  const isNamed = (provider: Provider) => push.kind === 'providers' && isCarried(push, provider)
  return PROVIDERS.filter((provider) => !isNamed(provider)).flatMap((provider) => {
    const set = OF_PROVIDER[provider].filter((key) => O.isSome(settings[key])).map(nameOf)
    if (set.length === 0) return []
    const names = set.join(', ')
    return [
      warning(
        'push-unused',
        `${names}: set, and not used`,
        `name ${provider} in ALMONER_PUSH to use it, or unset them`,
        {
          settings: names,
          provider,
        },
      ),
    ]
  })
}

const unusedDefault = ({ push, pushDefault }: Settings): ReadonlyArray<Found> =>
  O.isNone(pushDefault) || isCarried(push, pushDefault.value)
    ? []
    : [
        warning(
          'push-default',
          `device tokens of no known kind count as ${pushDefault.value}, to which nothing is sent`,
          `name ${pushDefault.value} in ALMONER_PUSH, or change ALMONER_PUSH_DEFAULT`,
          { provider: pushDefault.value },
        ),
      ]

const NAME_PROVIDERS = 'name the providers in ALMONER_PUSH'

const gatewayFindings = async ({ push }: Settings, service: Service): Promise<ReadonlyArray<Found>> => {
  switch (push.kind) {
    case 'log':
      return [warning('push-log', 'pushes are only written into the log: no device gets any', NAME_PROVIDERS)]
    case 'file':
      return [await pushFileFinding(push.path)]
    case 'providers':
      return ofProviders(service)
  }
}

/** Checks that pushes can be sent, without asking the providers. */
export const pushCheck: Check = {
  name: 'push',
  asks: 'the file system of the credentials',
  look: async ({ settings, service }) => [
    ...(await gatewayFindings(settings, service)),
    ...unusedSettings(settings),
    ...unusedDefault(settings),
  ],
}

const ACCEPTED: Readonly<Record<Provider, string>> = {
  fcm: 'fcm: it would take pushes from us',
  apns: 'apns: it takes pushes from us',
  webpush: 'webpush: the keys are in order; only a subscription can be asked for more',
}

const resultFinding = (provider: Provider, result: PushResult): Found => {
  switch (result._tag) {
    case 'Delivered':
      return ok(ACCEPTED[provider])
    case 'SenderError': {
      // With a wrong certificate it is we who refuse, and perhaps not the provider itself.
      const what =
        result.reason === 'CERTIFICATE'
          ? 'we refuse the certificate that its address shows'
          : `it refuses us: ${result.reason}`
      const code = result.reason === 'CERTIFICATE' ? 'provider-certificate' : 'provider-refuses'
      return fault(code, `${provider}: ${what}`, adviceFor(provider, result.reason))
    }
    case 'Retry':
      return result.reason === ''
        ? fault('provider-silent', `${provider}: no answer`, adviceOnSilence(provider))
        : fault('provider-waits', `${provider}: it asks us to wait: ${result.reason}`, 'ask again in a while')
    case 'Unregistered':
    case 'Refused':
      return fault(
        'provider-message',
        `${provider}: it refuses the message that it was asked with: ${result.reason}`,
        adviceFor(provider, result.reason),
      )
  }
}

/** Asks the providers whether they accept our pushes. Those whose credentials cannot be used are not asked. */
export const askCheck: Check = {
  name: 'providers',
  asks: 'the push providers',
  look: async ({ service }) => {
    const { authority, providers } = await service.providers()
    const usable = E.isLeft(authority)
      ? []
      : providers.flatMap(({ opened }) => (E.isRight(opened) ? [opened.right] : []))
    if (usable.length === 0) return [ok('there is no provider that could be asked')]
    return Promise.all(usable.map(async ({ provider, check }) => resultFinding(provider, await check())))
  },
}
