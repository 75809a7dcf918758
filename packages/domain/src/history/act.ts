import * as O from 'fp-ts/lib/Option.js'
import type { Actor, Caller } from '../access/caller.ts'
import type { Email } from '../values/addresses.ts'
import type { Instant } from '../values/time.ts'

/** Every action that an audit record can name (K1). docs/history.md describes them. */
export const ACTIONS = [
  'create',
  'update',
  'upload-image',
  'remove-image',
  'restore',
  'attach-label',
  'detach-label',
  'load-labels',
  'link-translation',
  'unlink-translation',
  'attach-device',
  'detach-device',
  'set-preference',
  'import-users',
  'erase-user',
  'restore-devices',
  'add-manager',
  'change-manager',
  'invite-manager',
  'end-sessions',
  'add-passkey',
  'rename-passkey',
  'remove-passkey',
  'link-identity',
  'unlink-identity',
  'set-password',
  'change-password',
  'renew-recovery-codes',
  'remove-password',
  'create-notification',
  'delete-notification',
  'add-client',
  'rotate-client',
  'disable-client',
  'enable-client',
  'withdraw-client',
  'pause-provider',
  'resume-provider',
  'load-portfolio',
  'import-archive',
] as const
/** One of {@link ACTIONS}. */
export type Action = (typeof ACTIONS)[number]

/** Who does what: the part of an audit record that a use case knows. */
export interface Act {
  readonly actor: Actor
  readonly action: Action
  /** The user to whom the actor must still be bound when the change commits; absent if the change does not depend on that (L1). */
  readonly boundTo?: Email
}

/** Returns the part of an act that depends on the caller's own user, if the store binds the two (L1). */
export const boundToOwnUser = ({ email, isBound }: Caller): Pick<Act, 'boundTo'> =>
  isBound && O.isSome(email) ? { boundTo: email.value } : {}

/** An act and its time. A write of an item needs none: the item has it. */
export interface TimedAct extends Act {
  readonly at: Instant
}

/** Who acts and when, where the use case knows what. */
export type ActedBy = Omit<TimedAct, 'action'>
