import * as O from 'fp-ts/lib/Option.js'
import { type Caller, hasScope } from '../access/caller.ts'
import type { Clock, CommonPolicy } from '../values/ports.ts'
import { dayOf, type LocalDate } from '../values/time.ts'
import type { Status } from './item.ts'

/** What a caller may see of a content type: data, so that each store can translate it into its own terms. */
export type Visibility =
  | { readonly kind: 'everything' }
  | {
      readonly kind: 'published'
      /** Whether items restricted to donors are seen. */
      readonly restricted: boolean
      /** Under an embargo, the last publication date that is seen (C9). */
      readonly until: O.Option<LocalDate>
    }

/** What visibility looks at. Feed items have no publication date. */
export interface Visible {
  readonly status: Status
  readonly isDonorRestricted: boolean
  readonly publicationDate?: LocalDate
}

/** How far a caller sees (A3). `embargo` is today where Live items wait for their date (C9). */
export const visibilityOf = (caller: Caller, embargo: O.Option<LocalDate>): Visibility =>
  hasScope(caller, 'content-manager')
    ? { kind: 'everything' }
    : { kind: 'published', restricted: hasScope(caller, 'user-donor'), until: embargo }

/** The one rule of who sees what (A3, C9). Every store's translation is tested against it. */
export const isVisible =
  (visibility: Visibility) =>
  (item: Visible): boolean => {
    if (visibility.kind === 'everything') return true
    const { publicationDate: day } = item
    const due = O.isNone(visibility.until) || day === undefined || day <= visibility.until.value
    return item.status === 'Live' && (visibility.restricted || !item.isDonorRestricted) && due
  }

/** The day it is for the service (B8). */
export const todayFor = (policy: Pick<CommonPolicy, 'timeZone'>, clock: Clock): LocalDate =>
  dayOf(clock.now(), policy.timeZone)

/** What a deployment decides on who sees what (C9). */
export interface VisibilityPolicy extends CommonPolicy {
  /** Whether a Live library item waits for its publication date (C9). */
  readonly embargo: boolean
}

/** How far a caller sees today (A3, C9). */
export const visibilityFor = (policy: VisibilityPolicy, clock: Clock, caller: Caller): Visibility =>
  visibilityOf(caller, policy.embargo ? O.some(todayFor(policy, clock)) : O.none)
