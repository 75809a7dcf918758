import type { Task } from 'fp-ts/lib/Task.js'
import type { SenderCredentials } from '../notifications/batch.ts'
import type { PayloadLimits } from '../notifications/ports.ts'
import type { Push, PushResult } from '../notifications/push.ts'
import { PROVIDERS, type Provider } from '../people/destinations.ts'

/** Carries pushes to devices, by one provider or by several. */
export interface PushGateway extends PayloadLimits {
  /** The providers that it sends by; all of the deployment when absent. */
  readonly providers?: ReadonlySet<Provider>
  /** Fingerprints of the credentials that it sends with, which do not reveal them: acceptances count for the same ones only (G15). */
  readonly credentials?: SenderCredentials
  /**
   * Sends one push, and gives what came of it within `ANSWER_WITHIN`. Never rejects: what goes wrong on the way is a result
   * too. How many it is asked for at once is for the caller to bound.
   */
  send(push: Push): Task<PushResult>
}

/** Returns the providers that a gateway sends by, of all those of its deployment. */
export const providersOf = (
  { providers }: Pick<PushGateway, 'providers'>,
  all: ReadonlyArray<Provider> = PROVIDERS,
): ReadonlySet<Provider> => providers ?? new Set(all)
