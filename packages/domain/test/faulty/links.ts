import type { LinkFinding, NO_ROUNDS } from '@almoner/domain/content'
import { instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

const others = (found: ReadonlyArray<LinkFinding>) => found.slice(1)

/** Faults of checkers of links, and of what they found. */
export const LINK_FAULTS: Faults<'linkChecker' | 'linkFindings'> = {
  linkChecker: {
    'asks by HEAD alone': [
      'C17: a checker returns the status of an address',
      ({ contact }) => ({ contact: (request) => contact({ ...request, method: 'HEAD' }) }),
    ],
    'follows redirects': [
      'C17: a redirect is returned with an absolute address, and not followed',
      ({ contact }) => ({
        contact: (request) => async () => {
          const first = await contact(request)()
          const url = first.kind === 'answered' ? first.location : undefined
          return url === undefined ? first : contact({ ...request, url: url as typeof request.url })()
        },
      }),
    ],
    'rejects without an answer': [
      'C17: a refused connection is a contact, too',
      ({ contact }) => ({
        contact: (request) => async () => {
          const found = await contact(request)()
          if (found.kind === 'failed') throw new Error(found.fault)
          return found
        },
      }),
    ],
  },
  linkFindings: {
    'lets every process go on': [
      'C17: the rounds are stored, and only who knows their latest state replaces them',
      ({ advance }) => ({ advance: returning(advance, () => true) }),
    ],
    'forgets the end of a round': [
      'C17: the rounds are stored',
      ({ rounds }) => ({ rounds: returning(rounds, (found) => ({ ...found, ended: O.none })) }),
    ],
    'stores findings of a writer that is too late': [
      'C17: a writer that comes too late stores no findings',
      ({ advance, rounds }) => ({
        advance: (next, found) =>
          TE.flatMap(({ step, ...stored }: typeof NO_ROUNDS) =>
            found.length === 0 || next.step > step
              ? advance(next, found)
              : advance({ ...stored, step: step + 1 }, found),
          )(rounds()),
      }),
    ],
    'returns all verdicts': [
      'C17: the findings of the round that is shown are returned',
      ({ page }) => ({ page: (query) => page({ ...query, verdict: O.none }) }),
    ],
    'begins each page at the beginning': [
      'C17: the findings of the round that is shown are returned',
      ({ page }) => ({ page: (query) => page({ ...query, after: O.none }) }),
    ],
    'leaves out a finding of items': [
      'C17: the findings of the round that is shown are returned',
      ({ ofItems }) => ({ ofItems: returning(ofItems, others) }),
    ],
    'keeps the first finding of a field': [
      'C17: a field that is checked again in a round has its latest finding',
      ({ advance }) => {
        const known = new Set<string>()
        return {
          advance: (next, found) =>
            advance(
              next,
              found.filter(({ itemId, field }) => {
                const key = `${next.number} ${itemId} ${field}`
                const isNew = !known.has(key)
                known.add(key)
                return isNew
              }),
            ),
        }
      },
    ],
    'counts links for hosts': [
      'C17: the hosts of a round are counted',
      ({ hosts }) => ({ hosts: returning(hosts, (found) => ({ ...found, hosts: found.hosts + 2 })) }),
    ],
    'counts findings of any age': [
      'C17: findings of the round that is shown are counted by verdict',
      ({ counts }) => ({ counts: () => counts(instant(0)) }),
    ],
    'takes dead links for unknown ones': [
      'C17: findings of the round that is shown are counted by verdict',
      ({ counts }) => ({
        counts: returning(counts, ({ unknown, dead, ...all }) => ({
          ...all,
          unknown: unknown + dead,
          dead: 0,
        })),
      }),
    ],
    'deletes nothing': [
      'C17: findings of rounds that neither run nor are shown are deleted',
      () => ({ purge: () => TE.right(0) }),
    ],
  },
}
