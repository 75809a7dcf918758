import type { Provider, PushGateway, PushResult } from '@almoner/domain'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Settings } from '../../config/definitions.ts'
import type { Checked } from './checked.ts'

/** A provider with the credentials of the settings. Nothing is connected before the first push. */
export interface OpenProvider {
  readonly provider: Provider
  readonly gateway: PushGateway
  /** Asks it, as far as it can be asked, whether it takes pushes from us. Never rejects. */
  readonly check: Task<PushResult>
  /** Lets what has been sent be answered, then hangs up. */
  readonly close: () => Promise<void>
}

/**
 * Opens a provider, and only then loads its client: they are large.
 * @param ca certificates to trust beside the usual ones, PEM
 */
export type Open = (settings: Settings, ca: string | undefined) => Promise<Checked<OpenProvider>>
