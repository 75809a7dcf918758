import type { Fixture, Who } from './fixture.ts'
import { itemsIn } from './items.ts'

export type Query = Readonly<Record<string, string>>

/** Gets a list of items. */
export const getList = (
  fixture: Fixture,
  contentType: string,
  query: Query = {},
  as: Who = 'manager',
): Promise<Response> => fixture.call('GET', `/${contentType}/`, { as, query })

/** The titles of what a list holds, in its order. */
export const titlesOf = async (
  fixture: Fixture,
  contentType: string,
  query: Query = {},
  as: Who = 'manager',
): Promise<string> =>
  (await itemsIn(await getList(fixture, contentType, query, as)))
    .map(({ itemTitle }) => itemTitle)
    .join(' | ')

/** Attaches a label to an item. */
export const attach = (
  fixture: Fixture,
  contentType: string,
  itemId: string,
  labelId: string,
): Promise<Response> =>
  fixture.call('POST', `/${contentType}/${itemId}/label`, { as: 'manager', json: { labelId } })
