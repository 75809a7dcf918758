import type { Fixture } from './fixture.ts'

/** Both forms of the address of something that an organization has: the interface calls them equivalent. */
export const PORTFOLIO_PATHS = (id: string, part: string): ReadonlyArray<string> => [
  `/portfolio/organization/${id}/${part}`,
  `/portfolio/organization/${part}?id=${id}`,
]

/** What a path answers to a user, with 200. */
export const read = async (
  fixture: Fixture,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const answer = await fixture.call('GET', path, { as: 'user', query })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`, { cause: body })
  return JSON.parse(body)
}
