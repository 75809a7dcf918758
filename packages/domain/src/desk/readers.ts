import * as O from 'fp-ts/lib/Option.js'
import { callerWith, SCOPES, type Scope } from '../access/caller.ts'
import type { Matches } from '../content/finding.ts'
import { type Visibility, visibilityOf } from '../content/rules.ts'
import { LANGUAGES, type Language } from '../values/text.ts'
import type { LocalDate } from '../values/time.ts'

/** The readers of a scope who read one language, and whether an item is in the list that they get (A3, C9). */
export interface Reader {
  readonly role: Scope
  readonly lang: Language
  readonly visible: boolean
}

/** What a list is asked with: how far a reader sees, and the language. */
interface Asked {
  readonly visibility: Visibility
  readonly lang: O.Option<Language>
}

/** Returns for each kind of reader whether it gets an item, by the rule that lists follow (A3, C9). */
export const readersOf =
  <Item, Query>(matches: Matches<Item, Query>, queryOf: (asked: Asked) => Query) =>
  (item: Item, embargo: O.Option<LocalDate>): ReadonlyArray<Reader> =>
    SCOPES.flatMap((role) =>
      LANGUAGES.map((lang) => {
        const visibility = visibilityOf(callerWith(role), embargo)
        return { role, lang, visible: matches(queryOf({ visibility, lang: O.some(lang) }))(item) }
      }),
    )
