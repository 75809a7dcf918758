import type { Provider, PushResult } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { OpenProvider } from '../../composition/push/provider.ts'
import { openProviders } from '../../composition/push/providers.ts'
import { adviceFor, adviceOnSilence } from '../push/advice.ts'
import { type Check, type Found, fault, ok } from './finding.ts'

const TAKEN: Readonly<Record<Provider, string>> = {
  fcm: 'fcm: it would take pushes from us',
  apns: 'apns: it takes pushes from us',
  webpush: 'webpush: the keys are in order; only a subscription can be asked for more',
}

/** A certificate is not what the provider has against us, but we against whoever answers in its place. */
const faultOf = (reason: string): string =>
  reason === 'CERTIFICATE' ? 'we refuse the certificate that its address shows' : `it refuses us: ${reason}`

const ofResult = (provider: Provider, result: PushResult): Found => {
  switch (result._tag) {
    case 'Delivered':
      return ok(TAKEN[provider])
    case 'OurFault':
      return fault(`${provider}: ${faultOf(result.reason)}`, adviceFor(provider, result.reason))
    case 'Retry':
      return result.reason === ''
        ? fault(`${provider}: no answer`, adviceOnSilence(provider))
        : fault(`${provider}: it asks us to wait: ${result.reason}`, 'ask again in a while')
    case 'Dead':
    case 'Refused':
      return fault(
        `${provider}: it refuses the message that it was asked with: ${result.reason}`,
        adviceFor(provider, result.reason),
      )
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
