import type { Messages } from './en.ts'
import { access } from './fr/access.ts'
import { app } from './fr/app.ts'
import { content } from './fr/content.ts'
import { drafts } from './fr/drafts.ts'
import { editing } from './fr/editing.ts'
import { findings } from './fr/findings.ts'
import { managers } from './fr/managers.ts'
import { notifications } from './fr/notifications.ts'
import { operations } from './fr/operations.ts'
import { people } from './fr/people.ts'
import { portfolio } from './fr/portfolio.ts'
import { proposals } from './fr/proposals.ts'
import { results } from './fr/results.ts'

/** Returns French words whose quotation marks, colons and the like never begin a line: the space before them does not break. */
export const unbroken = <Words>(words: Words): Words => {
  const changed = (): unknown => {
    if (typeof words === 'string') return words.replaceAll(/ (?=[:;?!»])|(?<=«) /g, '\u00A0')
    if (typeof words === 'function')
      return (...given: ReadonlyArray<unknown>): unknown => unbroken(words(...given))
    if (Array.isArray(words)) return words.map(unbroken)
    if (typeof words !== 'object' || words === null) return words
    return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, unbroken(word)]))
  }
  return changed() as Words
}

/** The French words of the console. */
export const fr: Messages = {
  ...app,
  ...content,
  ...editing,
  ...drafts,
  ...portfolio,
  ...proposals,
  ...notifications,
  ...managers,
  ...access,
  ...people,
  ...operations,
  ...findings,
  ...results,
}
