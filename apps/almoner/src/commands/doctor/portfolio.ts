import { EVERYTHING } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { joinedAdvice } from '../portfolio/joined-years.ts'
import { type Check, ok, warning } from './finding.ts'
import { onCurrent } from './opened.ts'

const ALL = { id: O.none, words: [], joined: O.none }

/** Whether callers can ask for every year in which an organization joined (H2). */
export const portfolioCheck: Check = {
  name: 'portfolio',
  look: onCurrent(async ({ store }, settings) => {
    const listed = await store.portfolio.organizations(ALL, EVERYTHING)()
    if (E.isLeft(listed)) return []
    const years = new Set<number>()
    for await (const batch of listed.right.batches) for (const { since } of batch) years.add(since)
    const advice = joinedAdvice(
      settings,
      [...years].map((since) => ({ since })),
    )
    if (advice !== undefined) return [warning(advice.what, advice.fix)]
    return [ok('?joined= takes the years of all organizations')]
  }),
}
