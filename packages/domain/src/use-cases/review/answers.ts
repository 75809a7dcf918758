import type { PushResult } from '../../notifications/push.ts'
import type { Provider } from '../../people/destination.ts'
import type { PushGateway } from '../../ports/push-gateway.ts'

/** How often a provider gave one answer, other than that it took the push: what an operator looks for when many devices have failed. */
export interface AnswerCount {
  readonly provider: Provider
  readonly result: Exclude<PushResult['_tag'], 'Delivered'>
  /** The provider's word. */
  readonly reason: string
  readonly count: number
}

/** Answers that differ, at most: more words than this no provider has, and none may fill the memory with its own. */
const MOST = 100

/** A gateway, and the answers that came through it. */
export interface CountedGateway {
  readonly gateway: PushGateway
  /** The most frequent first. */
  answers(): ReadonlyArray<AnswerCount>
}

/** Counts what a gateway is answered. */
export const countAnswers = (gateway: PushGateway): CountedGateway => {
  const counts = new Map<string, AnswerCount>()
  const note = (provider: Provider, result: PushResult): void => {
    if (result._tag === 'Delivered') return
    const key = `${provider} ${result._tag} ${result.reason}`
    const before = counts.get(key)
    if (before === undefined && counts.size >= MOST) return
    counts.set(key, { provider, result: result._tag, reason: result.reason, count: (before?.count ?? 0) + 1 })
  }
  return {
    gateway: {
      bytesOf: gateway.bytesOf,
      send: (push) => async () => {
        const result = await gateway.send(push)()
        note(push.destination.provider, result)
        return result
      },
    },
    answers: () => [...counts.values()].sort((a, b) => b.count - a.count),
  }
}
