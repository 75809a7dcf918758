import { consoleApi } from '../../session/api.ts'

/** Changes on one page. */
const PAGE = 30

/** The filters of the audit, as its URL has them. An empty text filters nothing. */
export interface AuditFilters {
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly from: string
  readonly to: string
  /** The cursor of the page. */
  readonly after: string
}

const NAMES = ['actor', 'action', 'subject', 'from', 'to', 'after'] as const

/** Reads the filters from the parameters of a URL. */
export const filtersOf = (query: URLSearchParams): AuditFilters => {
  const [actor, action, subject, from, to, after] = NAMES.map((name) => query.get(name) ?? '')
  return {
    actor: actor ?? '',
    action: action ?? '',
    subject: subject ?? '',
    from: from ?? '',
    to: to ?? '',
    after: after ?? '',
  }
}

const NEXT = /<([^>]+)>; rel="next"/

/** Returns a page of changes, the latest first, and the cursor of the page with older ones. */
export const listAudit = async (filters: AuditFilters, signal: AbortSignal) => {
  const given = Object.fromEntries(
    NAMES.map((name) => [name, filters[name]]).filter(([, text]) => text !== ''),
  )
  const { data, ...rest } = await consoleApi.get('/audit', { query: { lim: PAGE, ...given }, signal })
  const [, next] = NEXT.exec(rest.headers.get('Link') ?? '') ?? []
  const older = next === undefined ? undefined : (new URL(next).searchParams.get('after') ?? undefined)
  return { ...rest, data: { records: data.audit.map(({ record }) => record), older } }
}

/** One change. */
export type AuditRecord = Awaited<ReturnType<typeof listAudit>>['data']['records'][number]
