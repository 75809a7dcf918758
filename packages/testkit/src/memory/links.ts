import {
  type Contact,
  hostOf,
  isReached,
  type LinkFinding,
  type LinkPlace,
  type LinkVerdict,
} from '@almoner/domain/content'
import type { LinkChecker, LinkFindings, LinkRequest } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Tables } from './tables.ts'

/** Answers as an internet would in which every link leads somewhere. */
const allThere = (): Contact => ({ kind: 'answered', status: 200 })

/**
 * Makes a checker of links without a network.
 * @param answer what each request gets
 */
export const memoryLinkChecker = (answer: (request: LinkRequest) => Contact = allThere): LinkChecker => ({
  contact: (request) => async () => answer(request),
})

const keyOf = ({ itemId, field }: LinkPlace): string => `${itemId} ${field}`

const inOrder = (a: LinkPlace, b: LinkPlace): number => (keyOf(a) < keyOf(b) ? -1 : 1)

/** What the checks of links found, in memory. */
export const memoryLinkFindings = ({ links }: Tables): LinkFindings => {
  const of = (round: number): ReadonlyArray<LinkFinding> => [...(links.found.get(round)?.values() ?? [])]
  return {
    rounds: () => TE.fromIO(() => links.rounds),
    advance: (next, found) =>
      TE.fromIO(() => {
        if (links.rounds.step !== next.step - 1) return false
        links.rounds = next
        const round = links.found.get(next.number) ?? new Map<string, LinkFinding>()
        for (const finding of found) round.set(keyOf(finding), finding)
        links.found.set(next.number, round)
        return true
      }),
    ofItems: (ids) => TE.fromIO(() => of(links.rounds.shown).filter(({ itemId }) => ids.includes(itemId))),
    page: ({ verdict, after, most }) =>
      TE.fromIO(() =>
        of(links.rounds.shown)
          .filter((one) => O.isNone(verdict) || one.verdict === verdict.value)
          .filter((one) => O.isNone(after) || inOrder(after.value, one) < 0)
          .filter((one) => O.isNone(after) || keyOf(after.value) !== keyOf(one))
          .sort(inOrder)
          .slice(0, most),
      ),
    hosts: (round) =>
      TE.fromIO(() => {
        const reached = new Map<string, boolean>()
        for (const { url, answer } of of(round))
          reached.set(hostOf(url), (reached.get(hostOf(url)) ?? false) || isReached(answer))
        return { hosts: reached.size, unreached: [...reached.values()].filter((one) => !one).length }
      }),
    counts: (since) =>
      TE.fromIO(() => {
        const found = of(links.rounds.shown).filter(({ at }) => at >= since)
        const count = (wanted: LinkVerdict) => found.filter(({ verdict }) => verdict === wanted).length
        return { alive: count('alive'), unknown: count('unknown'), dead: count('dead') }
      }),
    purge: () =>
      TE.fromIO(() => {
        const { number, shown, position } = links.rounds
        const gone = [...links.found.keys()].filter(
          (round) => round !== shown && (O.isNone(position) || round !== number),
        )
        const count = gone.reduce((sum, round) => sum + of(round).length, 0)
        for (const round of gone) links.found.delete(round)
        return count
      }),
  }
}
