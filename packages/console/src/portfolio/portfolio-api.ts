import type { Answer } from '@almoner/client'
import { NEXT_PAGE } from '../content/items.ts'
import { api, consoleApi } from '../session/api.ts'

/** Organizations on one page of the list. */
export const ORGANIZATIONS_ON_A_PAGE = 50

/** Reads the name and the size of the portfolio, and its sectors. */
export const readPortfolio = async (signal: AbortSignal) => {
  const [{ data, ...rest }, sectors] = await Promise.all([
    api.get('/portfolio/', { signal }),
    api.get('/portfolio/sector', { signal }),
  ])
  return { ...rest, data: { ...data.portfolio, sectors: sectors.data.sectors.map(({ sector }) => sector) } }
}

/** Reads a page of the organizations whose names contain all words of `name`, by id. */
export const listOrganizations = async (name: string, offset: number, signal: AbortSignal) => {
  const query = { lim: ORGANIZATIONS_ON_A_PAGE, offset, ...(name !== '' && { name }) }
  const { data, headers, etag } = await api.get('/portfolio/organization/', { query, signal })
  const organizations = data.organizations.map(({ organization }) => organization)
  return { data: { organizations, hasNext: NEXT_PAGE.test(headers.get('Link') ?? '') }, headers, etag }
}

/** Reads the texts that lack a language or their highlight, of the portfolio or of an organization: the first, and how many there are. */
export const listFindings = async (organizationId: string | undefined, signal: AbortSignal) => {
  const query = organizationId === undefined ? {} : { organizationId }
  const { data, ...rest } = await consoleApi.get('/portfolio/findings', { query, signal })
  const { findings, findingCount: count } = data
  return { ...rest, data: { findings: findings.map(({ finding }) => finding), count } }
}

/** Reads all that the portfolio has of an organization; undefined as `data` if there is no such organization. */
export const readOrganization = async (id: string, signal: AbortSignal) => {
  const asked = { path: { id }, signal }
  const [{ data, ...rest }, sectors, introductions, summaries, programs, challenges, datasets] =
    await Promise.all([
      api.get('/portfolio/organization/{id}', asked),
      api.get('/portfolio/organization/{id}/sector', asked),
      api.get('/portfolio/organization/{id}/introduction', asked),
      api.get('/portfolio/organization/{id}/summary', asked),
      api.get('/portfolio/organization/{id}/program', asked),
      api.get('/portfolio/organization/{id}/challenge', asked),
      api.get('/portfolio/organization/{id}/datasets', asked),
    ])
  const organization = data.organizations[0]?.organization
  if (organization === undefined) return { ...rest, data: undefined }
  return {
    ...rest,
    data: {
      organization,
      sectors: sectors.data.sectors.map(({ sector }) => sector),
      introductions: introductions.data.introductions.map(({ introduction }) => introduction),
      summaries: summaries.data.summaries.map(({ summary }) => summary),
      programs: programs.data.programs.map(({ programs: program }) => program),
      challenges: challenges.data.challenges.map(({ challenge }) => challenge),
      datasets: datasets.data.datasets.map(({ dataset }) => dataset),
    },
  }
}

type DataOf<Read extends (...asked: never) => Promise<Answer<unknown>>> = Awaited<ReturnType<Read>>['data']

/** The name and size of the portfolio, and its sectors. */
type PortfolioHead = DataOf<typeof readPortfolio>
/** A sector, with its name in the languages that it has one in. */
export type Sector = PortfolioHead['sectors'][number]
/** An organization as lists have it. */
export type Organization = DataOf<typeof listOrganizations>['organizations'][number]
/** A text that lacks a language or its highlight. */
export type Finding = DataOf<typeof listFindings>['findings'][number]
/** An organization with its sectors, texts and figures. */
export type OrganizationDetails = NonNullable<DataOf<typeof readOrganization>>
