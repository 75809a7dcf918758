import type { PushResult } from '@almoner/domain/notifications'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import { Counter, Histogram, type Registry } from '@prometheus-io/client'

/** Metrics of sending. */
export interface PushMetrics {
  /** Adds a push with its result and duration in milliseconds. */
  readonly push: (provider: Provider, result: PushResult, milliseconds: number) => void
  /** Adds devices whose tokens were detached because their provider called them dead (G5). */
  readonly detached: (provider: Provider) => void
}

const OUTCOMES: Readonly<Record<PushResult['_tag'], string>> = {
  Delivered: 'delivered',
  Unregistered: 'dead',
  Retry: 'retry',
  Refused: 'refused',
  SenderError: 'fault',
}

/** Pushes by provider and outcome. The provider's reasons are for the log: they are too many for labels. */
export const countPushes = (registry: Registry): PushMetrics => {
  const registers = [registry]
  const pushes = new Counter({
    name: 'almoner_pushes_total',
    help: 'Pushes sent, by what came of each: delivered, dead, retry, refused, or fault where the provider refuses us.',
    labelNames: ['provider', 'outcome'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'almoner_push_duration_seconds',
    help: "Time from a push to the provider's answer.",
    labelNames: ['provider'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const detached = new Counter({
    name: 'almoner_tokens_detached_total',
    help: 'Device tokens detached because their provider called them dead.',
    labelNames: ['provider'] as const,
    registers,
  })
  // Pushes come in bursts: of a count that appears with its first burst no growth can be seen.
  for (const provider of PROVIDERS) {
    for (const outcome of Object.values(OUTCOMES)) pushes.inc({ provider, outcome }, 0)
    detached.inc({ provider }, 0)
  }
  return {
    push: (provider, { _tag }, milliseconds) => {
      pushes.inc({ provider, outcome: OUTCOMES[_tag] })
      durations.observe({ provider }, milliseconds / 1000)
    },
    detached: (provider) => detached.inc({ provider }),
  }
}
