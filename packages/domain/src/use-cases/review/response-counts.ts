import type { PushResult } from '../../notifications/push.ts'
import type { DeviceKind } from '../../people/destinations.ts'
import type { PushGateway } from '../../ports/push-gateway.ts'

/** Why a device has failed without a push. */
export type NotSentReason = 'no rule recognises the token' | 'the life of the notification was over'

/**
 * How often a provider gave one answer, other than that it took the push, or nothing was sent for one reason: what an operator looks for
 * when many devices have failed.
 */
export interface ResponseCount {
  readonly provider: DeviceKind
  readonly result: Exclude<PushResult['_tag'], 'Delivered'> | 'NotSent'
  /** The provider's word, or a {@link NotSentReason}. */
  readonly reason: string
  readonly count: number
}

/** Answers that differ, at most: more words than this no provider has, and none may fill the memory with its own. */
const MOST = 100

/** A gateway, and the answers that came through it. */
export interface CountedGateway {
  readonly gateway: PushGateway
  /** Counts a device that has failed without a push. */
  notSent(kind: DeviceKind, reason: NotSentReason): void
  /** The most frequent first. */
  responses(): ReadonlyArray<ResponseCount>
}

/** Counts what a gateway is answered. */
export const countResponses = (gateway: PushGateway): CountedGateway => {
  const counts = new Map<string, ResponseCount>()
  const add = (one: Omit<ResponseCount, 'count'>): void => {
    const key = `${one.provider} ${one.result} ${one.reason}`
    const before = counts.get(key)
    if (before === undefined && counts.size >= MOST) return
    counts.set(key, { ...one, count: (before?.count ?? 0) + 1 })
  }
  const note = (provider: DeviceKind, result: PushResult): void => {
    if (result._tag !== 'Delivered') add({ provider, result: result._tag, reason: result.reason })
  }
  return {
    notSent: (provider, reason) => add({ provider, result: 'NotSent', reason }),
    gateway: {
      ...gateway,
      send: (push) => async () => {
        const result = await gateway.send(push)()
        note(push.destination.provider, result)
        return result
      },
    },
    responses: () => [...counts.values()].sort((a, b) => b.count - a.count),
  }
}
