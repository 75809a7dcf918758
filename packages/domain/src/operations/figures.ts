import type { SendingQueue } from '../delivery/batch.ts'
import type { ProviderState } from '../delivery/settle.ts'
import type { Instant } from '../values/time.ts'
import type { AdapterNames, HostFigures } from './host.ts'

/** What a running service does now: what waits, who is paused, and what the host measures. */
export interface Figures {
  readonly at: Instant
  readonly queue: SendingQueue
  readonly providers: ReadonlyArray<ProviderState>
  /** The running nodes. */
  readonly nodes: number
  readonly host: HostFigures
  readonly adapters: AdapterNames
}
