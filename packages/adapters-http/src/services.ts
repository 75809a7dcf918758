import { type Almoner, createAlmoner, type Policy, type Ports } from '@almoner/domain'
import type { ItemCore } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { makeFurtherPayloadErrors } from '@almoner/domain/notifications'
import type { Host } from '@almoner/domain/operations'
import { furtherUserErrors, makeFurtherDeviceErrors } from '@almoner/domain/people'
import { makeFurtherYearErrors } from '@almoner/domain/portfolio'
import { makeOnce, type Once } from './idempotency/idempotency.ts'

/** An item as JSON. */
export interface RenderedItem {
  readonly text: string
  /** The same as bytes after a comma, as collections are made of. */
  readonly bytes: Buffer
}

/** The use cases that routes call, and what routes need beside them. */
export interface Services extends Almoner {
  /** Further errors of rejected requests (I1). */
  readonly furtherErrors: {
    readonly user: typeof furtherUserErrors
    readonly device: ReturnType<typeof makeFurtherDeviceErrors>
    readonly payload: ReturnType<typeof makeFurtherPayloadErrors>
    readonly year: ReturnType<typeof makeFurtherYearErrors>
  }
  readonly once: Once
  /** Renders items with a cache. */
  readonly renderItems?: <A extends ItemCore>(
    contentType: ContentType,
    render: (item: A) => string,
  ) => (item: A) => RenderedItem
}

/** Binds all use cases to one set of ports. Operators see what the host knows of itself, if it is given. */
export const makeServices = (ports: Ports, policy: Policy, host?: Host): Services => ({
  ...createAlmoner(ports, policy, host),
  furtherErrors: {
    user: furtherUserErrors,
    device: makeFurtherDeviceErrors(policy),
    payload: makeFurtherPayloadErrors(ports, policy),
    year: makeFurtherYearErrors(policy),
  },
  once: makeOnce(ports),
})
