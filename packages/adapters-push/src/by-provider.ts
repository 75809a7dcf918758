import { refused } from '@almoner/domain/notifications'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'

/** A gateway for each provider that a deployment has. */
export type Gateways = Readonly<Partial<Record<Provider, PushGateway>>>

const NO_GATEWAY = refused('no gateway')

/**
 * One gateway of several: each push goes to the provider of its device. A device of a provider that is not there is refused, as nothing
 * will ever be sent to it (G7: it counts as failed). A message counts as it does where it is largest (G6).
 */
export const byProvider = (gateways: Gateways): PushGateway => ({
  providers: new Set(PROVIDERS.filter((provider) => gateways[provider] !== undefined)),
  credentials: Object.assign({}, ...Object.values(gateways).map((gateway) => gateway?.credentials)),
  bytesOf: (message) => Math.max(0, ...Object.values(gateways).map(({ bytesOf }) => bytesOf(message))),
  smallerLimits: (message) =>
    Object.values(gateways).flatMap((gateway) => gateway?.smallerLimits?.(message) ?? []),
  send: (push) => gateways[push.destination.provider]?.send(push) ?? (async () => NO_GATEWAY),
})
