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

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="9" height="9"/></svg>'

/** The row of an organization in a file. */
export const organization = (id: string, since: unknown = 2016) =>
  JSON.stringify({ id, name: id, since, founded: 1999, logo: 'a.svg', visual: 'a.svg' })

/** The files of a small portfolio, by path. */
export const PORTFOLIO_FILES: Readonly<Record<string, string>> = {
  'ours/portfolio.json': '{"name":"Ours"}',
  'ours/sectors.json': '[]',
  'ours/organizations.json': `[\n${organization('acme')},\n${organization('zenith')}\n]`,
  'ours/datasets.csv': 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\nacme,2016,1,1,1,EUR\n',
  'ours/logo/a.svg': SVG,
  'ours/visual/a.svg': SVG,
}

/** A form with files, as a page sends them. */
export const formOf = (files: Readonly<Record<string, string | Buffer>>): FormData => {
  const form = new FormData()
  for (const [path, content] of Object.entries(files)) form.append('files', new Blob([content]), path)
  return form
}
