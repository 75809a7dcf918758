import type { ConsolePaths } from '@almoner/client'
import { useEffect, useRef, useState } from 'react'
import { FieldChanges, shownChanges } from '../content/history/field-changes.tsx'
import { usePeople } from '../content/history/history-api.ts'
import { at } from '../paths.ts'
import { useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import { goTo, useUrl, withQuery } from '../session/router.ts'
import { useMessages, useMoment, useSession } from '../session/session.tsx'
import { Icon, SelectField } from '../ui/controls.tsx'
import { Problem } from '../ui/problem.tsx'

/** Changes on one page. */
const PAGE = 30

/** The filters of the audit, as its URL has them. An empty text filters nothing. */
interface AuditFilters {
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
const filtersOf = (query: URLSearchParams): AuditFilters => {
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

/** One change. */
type AuditRecord =
  ConsolePaths['/audit']['get']['responses'][200]['content']['application/json']['audit'][number]['record']

/** Titles of entries and notifications by id. */
type Titles = ReadonlyMap<string, string>

/** Publications, posts and notifications are named by such ids. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Ids that one question about titles names at most. */
const MOST_ASKED = 100

/** Returns the titles of what records name, by id. The log is shown without them if they cannot be read. */
const titlesIn = async (records: ReadonlyArray<AuditRecord>, signal: AbortSignal): Promise<Titles> => {
  const named = records.flatMap(({ subject, changes }) => [
    subject.id,
    ...changes.flatMap(({ before, after }) => [before ?? '', after ?? '']),
  ])
  const ids = [...new Set(named)].filter((id) => UUID.test(id)).slice(0, MOST_ASKED)
  if (ids.length === 0) return new Map()
  const asked = consoleApi.get('/titles', { query: { ids: ids.join(',') }, signal })
  const found = await asked.then(
    ({ data }) => data.titles,
    () => [],
  )
  return new Map(found.map(({ title: { id, text } }) => [id, text]))
}

const NEXT = /<([^>]+)>; rel="next"/

/** Returns a page of changes, the latest first, and the cursor of the page with older ones. */
const listAudit = async (filters: AuditFilters, signal: AbortSignal) => {
  const given = Object.fromEntries(
    NAMES.map((name) => [name, filters[name]]).filter(([, text]) => text !== ''),
  )
  const { data, ...rest } = await consoleApi.get('/audit', { query: { lim: PAGE, ...given }, signal })
  const [, next] = NEXT.exec(rest.headers.get('Link') ?? '') ?? []
  const older = next === undefined ? undefined : (new URL(next).searchParams.get('after') ?? undefined)
  const records = data.audit.map(({ record }) => record)
  return { ...rest, data: { records, titles: await titlesIn(records, signal), older } }
}

/** The pages of subjects. What was deleted or erased has a page that says so. */
const PATHS: Readonly<Partial<Record<AuditRecord['subject']['kind'], (id: string) => string>>> = {
  library: (id) => `library/${id}/history`,
  feed: (id) => `feed/${id}/history`,
  notification: (id) => `notifications/${id}`,
  user: (id) => `people/${id}`,
  client: () => 'clients',
  provider: () => 'operations',
}

const TITLES: ReadonlySet<string> = new Set(['itemTitle', 'title'])

/** Returns the title that a record has itself: of something that was created or deleted. */
const titleIn = ({ changes }: AuditRecord): string | undefined => {
  const title = changes.find(({ field }) => TITLES.has(field))
  return title?.after ?? title?.before ?? undefined
}

/** A record, with the titles of entries and the names of managers by their identifiers. */
interface NamedRecord {
  readonly record: AuditRecord
  readonly titles: Titles
  readonly people: ReadonlyMap<string, string>
}

/** What changed, as a link to its page where it has one, and a link to all of its changes. */
const Subject = ({ record, titles, people }: NamedRecord) => {
  const { audit: words } = useMessages()
  const url = useUrl()
  const { kind, id } = record.subject
  const title = kind === 'manager' ? people.get(id) : (titles.get(id) ?? titleIn(record))
  const known = UUID.test(id) ? words.gone(words.subjects[kind]) : `${words.subjects[kind]} ${id}`.trim()
  const text = title === undefined ? known : words.named(words.subjects[kind], title)
  const path = PATHS[kind]?.(id)
  return (
    <>
      {path === undefined ? text : <a href={at(`/console/${path}`)}>{text}</a>}
      {id !== '' && url.searchParams.get('subject') !== id && (
        <a className="audit-all" href={withQuery(url, { after: '', subject: id })}>
          {words.allOfIt}
          <span className="visually-hidden"> {text}</span>
        </a>
      )}
    </>
  )
}

/** Names the language of a person differently from that of a text, and entries by their titles. The id of a proposal says nothing. */
const namedFields = ({ subject, changes }: AuditRecord, titles: Titles): AuditRecord['changes'] => {
  const isPerson = subject.kind === 'user' || subject.kind === 'manager'
  const titleOf = (value: string | null) => (value === null ? null : (titles.get(value) ?? value))
  return changes
    .filter(({ field }) => field !== 'proposal')
    .map(({ field, before, after }) => ({
      field: isPerson && field === 'lang' ? 'language' : field,
      before: titleOf(before),
      after: titleOf(after),
    }))
}

/** One change: when, what, by whom, about what, and the changed fields behind. */
const AuditEntry = ({ record, titles, people }: NamedRecord) => {
  const { audit: words, history } = useMessages()
  const { manager } = useSession().session
  const momentOf = useMoment({ dateStyle: 'medium', timeStyle: 'medium' })
  const { at, actor, action } = record
  const changes = namedFields(record, titles)
  const name = actor.kind === 'person' ? people.get(actor.id) : undefined
  return (
    <li className="audit-record">
      <div className="audit-act">
        <h2>{words.actions[action]}</h2>
        <p>
          <Subject record={record} titles={titles} people={people} />
        </p>
        <p className="hint">
          <time dateTime={at}>{momentOf(at)}</time>
          <span>{name ?? history.actors[actor.kind](actor.id)}</span>
        </p>
      </div>
      {shownChanges(changes).length > 0 && (
        <details>
          <summary>{words.changed}</summary>
          <FieldChanges changes={changes} lang={manager.language} />
        </details>
      )}
    </li>
  )
}

/** Milliseconds after the last key until the list is filtered. */
const PAUSE = 400

/** Whether a day is complete: a date field also reports the years 0002 and 0020 while 2026 is typed. */
const isWhole = (day: string): boolean => day === '' || day >= '1900'

/** Returns a day whose year was typed with two digits as one of this century; any other text as it is. */
const inThisCentury = (text: string): string => text.replace(/^00(?=\d\d-\d\d-\d\d$)/, '20')

/** A text, or a day in the browser's own field, that filters while the person types. */
const TextFilter = ({
  label,
  value,
  type = 'text',
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'date'
  readonly onChange: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    if (type === 'text' || isWhole(next)) timer.current = setTimeout(() => onChange(next.trim()), PAUSE)
  }
  return (
    <label className="select-field">
      <span className="label">{label}</span>
      <input
        type={type}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        onBlur={() => {
          if (inThisCentury(text) !== text) change(inThisCentury(text))
        }}
      />
    </label>
  )
}

/** Who, what, which entry and when. */
const Filters = ({
  filters,
  people,
  onChange,
}: {
  readonly filters: AuditFilters
  /** Names of managers by number. */
  readonly people: ReadonlyMap<string, string>
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
}) => {
  const { audit: words } = useMessages()
  const isPerson = people.has(filters.actor)
  return (
    <search className="filters audit-filters" aria-label={words.filters}>
      <SelectField
        label={words.person}
        value={isPerson ? filters.actor : ''}
        options={[
          { value: '', label: words.anyone },
          ...[...people].map(([value, label]) => ({ value, label })),
        ]}
        onChange={(actor) => onChange({ actor })}
      />
      <TextFilter
        label={words.actor}
        value={isPerson ? '' : filters.actor}
        onChange={(actor) => onChange({ actor })}
      />
      <SelectField
        label={words.action}
        value={filters.action}
        options={[
          { value: '', label: words.anything },
          ...Object.entries(words.actions).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(action) => onChange({ action })}
      />
      <TextFilter
        label={words.subject}
        value={filters.subject}
        onChange={(subject) => onChange({ subject })}
      />
      <TextFilter
        type="date"
        label={words.from}
        value={filters.from}
        onChange={(from) => onChange({ from })}
      />
      <TextFilter type="date" label={words.to} value={filters.to} onChange={(to) => onChange({ to })} />
    </search>
  )
}

/** Every change, the latest first, by who, what, which entry and when. Its state is in the URL, which holds numbers instead of people. */
export const AuditPage = () => {
  const { audit: words, loading } = useMessages()
  const { timeZone, serviceTimeZone } = useSession().session
  const url = useUrl()
  const filters = filtersOf(url.searchParams)
  const people = usePeople()
  const list = useAnswer(`audit ${JSON.stringify(filters)}`, (signal) => listAudit(filters, signal))
  const page = list.answer?.data
  const isFiltered = url.search !== ''
  return (
    <div className="page audit">
      <div>
        <h1>{words.title}</h1>
        <p className="hint">{words.hint}</p>
      </div>
      <Filters
        filters={filters}
        people={people}
        onChange={(changes) => goTo(withQuery(url, { after: '', ...changes }), 'replace')}
      />
      {timeZone !== serviceTimeZone && <p className="hint">{words.days(serviceTimeZone)}</p>}
      {list.error !== undefined && <Problem error={list.error} onRetry={list.reload} />}
      {page === undefined && list.error === undefined && <p className="loading">{loading}</p>}
      {page?.records.length === 0 && (
        <div className="empty">
          <Icon name="history" />
          <p>{isFiltered ? words.none : words.empty}</p>
          {isFiltered && (
            <a className="button" href={at('/console/audit')}>
              {words.clear}
            </a>
          )}
        </div>
      )}
      {page !== undefined && page.records.length > 0 && (
        <ol className="audit-records" aria-label={words.list} aria-busy={list.isLoading}>
          {page.records.map((record, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: records of one moment have no other identity
            <AuditEntry key={`${record.at} ${at}`} record={record} titles={page.titles} people={people} />
          ))}
        </ol>
      )}
      {page !== undefined && (filters.after !== '' || page.older !== undefined) && (
        <nav className="pages" aria-label={words.list}>
          {filters.after !== '' && (
            <a className="button" href={withQuery(url, { after: '' })}>
              {words.latest}
            </a>
          )}
          {page.older !== undefined && (
            <a className="button" href={withQuery(url, { after: page.older })} rel="next">
              {words.older}
              <Icon name="next" />
            </a>
          )}
        </nav>
      )}
    </div>
  )
}
