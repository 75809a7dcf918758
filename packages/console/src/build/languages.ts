import type { Plugin } from 'rolldown'

/** A dictionary of React Aria: one file for each of some thirty languages. */
const DICTIONARY = /[\\/]intl[\\/][^\\/]+[\\/]([a-z]{2})-[A-Z]{2}\.mjs$/

/** The console speaks English and French (M8). Without the other dictionaries it is 45 kB smaller. */
const OURS: ReadonlySet<string | undefined> = new Set(['en', 'fr'])

/** Leaves the dictionaries of other languages out of the bundle. */
export const onlyOurLanguages: Plugin = {
  name: 'only-our-languages',
  load: (id) => {
    const [, language] = DICTIONARY.exec(id) ?? []
    return language === undefined || OURS.has(language) ? null : 'export default {}'
  },
}
