import * as E from 'fp-ts/lib/Either.js'
import { refined } from '../values/refined.ts'
import type { Role, Scope } from './caller.ts'

/** The duties that a manager may have, from the least to the most (M2). */
export const DUTY_NAMES = ['editor', 'operator'] as const
/** One of {@link DUTY_NAMES}. */
export type Duty = (typeof DUTY_NAMES)[number]

/** What a duty grants in the console. */
export interface DutyGrant {
  readonly scopes: ReadonlyArray<Scope>
  readonly roles: ReadonlyArray<Role>
}

/** The scopes and roles of each duty (M2). */
export const DUTIES: Readonly<Record<Duty, DutyGrant>> = {
  editor: { scopes: ['content-manager'], roles: [] },
  operator: { scopes: ['content-manager'], roles: ['super-admin', 'user-manager'] },
}

/** Reads the name of a duty, matched exactly (M2). */
export const Duty = refined<Duty>(
  'Duty',
  (text) => {
    const found = DUTY_NAMES.find((duty) => duty === text)
    return found === undefined ? E.left(`must be ${DUTY_NAMES.join(' or ')}`) : E.right(found)
  },
  { type: 'string', description: 'Duty of the manager.', enum: DUTY_NAMES },
)
