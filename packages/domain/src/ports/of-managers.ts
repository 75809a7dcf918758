import type { DeliveryPolicy, DeliveryPorts } from '../delivery/ports.ts'
import type { Identities } from './identities.ts'
import type { Managers } from './managers.ts'
import type { OneTimeSecrets } from './one-time-secrets.ts'
import type { Passkeys } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import type { WorkingCopies } from './working-copies.ts'

/** What managers and the areas before it ask of the world. */
export interface ManagerPorts extends DeliveryPorts {
  readonly managers: Managers
  readonly sessions: Sessions
  readonly oneTimeSecrets: OneTimeSecrets
  readonly passkeys: Passkeys
  readonly identities: Identities
  readonly passwords: Passwords
  readonly workingCopies: WorkingCopies
}

/** What a deployment decides for managers and the areas before it. */
export interface ManagerPolicy extends DeliveryPolicy {
  /** How long a session of the console lives without a request, in seconds (M4). */
  readonly sessionIdle: number
  /** How long a session of the console lives at most, in seconds (M4). */
  readonly sessionLife: number
}
