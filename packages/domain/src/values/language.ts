import * as E from 'fp-ts/lib/Either.js'
import { refined } from './refined.ts'

/** The languages of the service. */
export const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** `lang`, in any case; held in lower case (B5). */
export const Language = refined<Language>(
  'Language',
  (text) => {
    const found = LANGUAGES.find((language) => language === text.toLowerCase())
    return found === undefined ? E.left('must be en or fr') : E.right(found)
  },
  {
    type: 'string',
    description: 'Language code, in any case.',
    pattern: '^([eE][nN]|[fF][rR])$',
    example: 'en',
  },
)
