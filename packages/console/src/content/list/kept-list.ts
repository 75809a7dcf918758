import { at } from '../../paths.ts'
import type { ContentType } from '../items.ts'

/** Names of the stored filters of lists. */
const PREFIX = `almoner.list${at('')}.`

/** Stores the filters of a list in this tab, so that the way back from an entry leads to the same place of the list. */
export const keepList = (contentType: ContentType, search: string): void =>
  sessionStorage.setItem(`${PREFIX}${contentType}`, search)

/** Returns the path of a list with the filters and the page that the person used last. */
export const pathOfList = (contentType: ContentType): string =>
  at(`/console/${contentType}${sessionStorage.getItem(`${PREFIX}${contentType}`) ?? ''}`)

/** Removes the stored filters, so that signing out leaves nothing of a person in the browser. */
export const forgetLists = (): void => {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name)
}
