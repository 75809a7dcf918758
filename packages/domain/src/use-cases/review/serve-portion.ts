import * as E from 'fp-ts/lib/Either.js'
import type { PushMessage } from '../../notifications/message.ts'
import type { ClaimLost, Portion, Turn } from '../../notifications/portion.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { keepTurns } from './keep-turns.ts'
import type { SendWindow } from './send-window.ts'
import { startTurn } from './start-turn.ts'

export type ServingNeeds = 'deliveries' | 'pushGateway' | 'clock' | 'random' | 'timer'

/** What serving a portion takes. */
export interface Serving {
  readonly portion: Portion
  readonly message: PushMessage
  readonly window: SendWindow
  /** Whether to begin nothing any more, and finish what has begun. */
  readonly isStopping: () => boolean
}

type Stop = ClaimLost | Unavailable

/** Something that one loop waits for and others bring about. */
const makeBell = () => {
  let next = Promise.withResolvers<void>()
  return {
    heard: () => next.promise,
    ring: () => {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}

/**
 * Gives every recipient of a portion its turn. One loop begins turns as places come free, each group checked just before (G4); the
 * other writes ended turns into the ledger, all that have gathered while the last were being written, and only then gives their
 * places back (G5). Gives how many turns are in the ledger; when it ends early, the rest is let go of.
 */
export const servePortion = async (
  ports: Pick<Ports, ServingNeeds>,
  { portion, message, window, isStopping }: Serving,
): Promise<E.Either<Stop, ReadonlyArray<Turn>>> => {
  const begin = startTurn(ports, portion, message)
  const keep = keepTurns(ports, portion)
  const ended: Array<Turn> = []
  const kept: Array<Turn> = []
  const bell = makeBell()
  let begun = 0
  let inFlight = 0
  let beginning = true
  let stop: Stop | undefined

  const beginGroup = async (places: number): Promise<void> => {
    const group = portion.recipients.slice(begun, begun + places)
    const reachable = await ports.deliveries.reachable(portion.claim, group)()
    if (E.isLeft(reachable) || isStopping()) {
      if (E.isLeft(reachable)) stop = reachable.left
      window.give(places)
      return
    }
    begun += group.length
    inFlight += group.length
    for (const recipient of group)
      void begin(recipient, reachable.right.get(recipient.deviceId)).then((turn) => {
        inFlight -= 1
        ended.push(turn)
        bell.ring()
      })
  }

  const beginAll = async (): Promise<void> => {
    while (begun < portion.recipients.length && stop === undefined && !isStopping())
      await beginGroup(await window.take(portion.recipients.length - begun))
    beginning = false
    bell.ring()
  }

  const keepEnded = async (): Promise<void> => {
    const turns = ended.splice(0)
    const last = begun === portion.recipients.length && inFlight === 0
    const result = stop === undefined ? await keep(turns, last)() : E.left(stop)
    if (E.isRight(result)) kept.push(...turns)
    else stop = result.left
    window.give(turns.length)
  }

  const all = beginAll()
  while (beginning || inFlight > 0 || ended.length > 0) await (ended.length > 0 ? keepEnded() : bell.heard())
  await all
  if (begun < portion.recipients.length || stop !== undefined) await ports.deliveries.letGo(portion.claim)()
  return stop === undefined ? E.right(kept) : E.left(stop)
}
