import type { Provider, PushResult } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { OpenProvider } from '../../compose/provider.ts'
import { openProviders } from '../../compose/providers.ts'
import { adviceFor, adviceOnSilence } from '../../push/advice.ts'
import { type Check, type Found, fault, ok } from './finding.ts'

const TAKEN: Readonly<Record<Provider, string>> = {
  fcm: 'fcm: it would take pushes from us',
  apns: 'apns: it takes pushes from us',
  webpush: 'webpush: the keys are in order; only a subscription can be asked for more',
}

const ofResult = (provider: Provider, result: PushResult): Found => {
  switch (result._tag) {
    case 'Delivered':
      return ok(TAKEN[provider])
    case 'OurFault':
      return fault(`${provider}: it refuses us: ${result.reason}`, adviceFor(provider, result.reason))
    case 'Retry':
      return fault(`${provider}: no answer, or none but to wait`, adviceOnSilence(provider))
    case 'Dead':
    case 'Refused':
      return fault(`${provider}: it refuses the message that it was asked with`, adviceFor(provider, ''))
  }
}

const ask = async ({ provider, check }: OpenProvider): Promise<Found> => ofResult(provider, await check())

/** Whether the providers take us. Those whose credentials cannot be used are not asked: another check tells of them. */
export const askCheck: Check = {
  name: 'providers',
  look: async (settings) => {
    const { authority, providers, close } = await openProviders(settings)
    try {
      const usable = E.isLeft(authority)
        ? []
        : providers.flatMap(({ opened }) => (E.isRight(opened) ? [opened.right] : []))
      return usable.length === 0
        ? [ok('there is no provider that could be asked')]
        : await Promise.all(usable.map(ask))
    } finally {
      await close()
    }
  },
}
