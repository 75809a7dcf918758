import type { Instant } from '@almoner/domain'
import { type ProviderState, pausesAmong, type SendingQueue } from '@almoner/domain/delivery'
import { Gauge, type Registry } from '@prometheus-io/client'
import * as O from 'fp-ts/lib/Option.js'

/** What waits to be sent and which providers are paused, as all processes on the store see it. */
export interface Sending {
  readonly now: Instant
  readonly queue: SendingQueue
  readonly providers: ReadonlyArray<ProviderState>
}

/** Asks the store; undefined when it does not answer. */
export type AskSending = () => Promise<Sending | undefined>

const age = (now: Instant, since: O.Option<Instant>): number =>
  O.isNone(since) ? 0 : Math.max(0, now - since.value) / 1000

/**
 * Gauges that are read from the store at each scrape, all at once. All processes report the same, so they are aggregated by `max`. While the
 * store does not answer, they have no value.
 */
export const showSending = (registry: Registry, ask: AskSending): void => {
  let asked: Promise<Sending | undefined> | undefined
  const askOnce = () => {
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
  const common = { registers: [registry], aggregator: 'max' as const }
  const show = (name: string, help: string, of: (sending: Sending) => number) =>
    new Gauge({
      ...common,
      name,
      help,
      async collect() {
        const sending = await askOnce()
        if (sending === undefined) this.remove()
        else this.set(of(sending))
      },
    })
  show(
    'almoner_review_lag_seconds',
    'How long the oldest notification that is due has waited for a review to take it up; 0 when none waits.',
    ({ now, queue }) => age(now, queue.dueSince),
  )
  show(
    'almoner_oldest_unsent_seconds',
    'How long the oldest notification has been due that has not been sent to the last of its devices; 0 when there is none.',
    ({ now, queue }) => age(now, queue.unsentSince),
  )
  show(
    'almoner_devices_pending',
    'Devices that are yet to get a notification that is being sent.',
    ({ queue }) => queue.pending,
  )
  show(
    'almoner_retries_waiting',
    'Of these, the devices that wait for another try or for a paused provider, up to 100000.',
    ({ queue }) => queue.retries,
  )
  new Gauge({
    ...common,
    name: 'almoner_provider_paused',
    help: '1 while a provider, or one of its servers, is paused or probed, else 0.',
    labelNames: ['provider'] as const,
    async collect() {
      const sending = await askOnce()
      this.reset()
      for (const state of sending?.providers ?? [])
        this.set({ provider: state.provider }, pausesAmong([state]).length > 0 ? 1 : 0)
    },
  })
}
