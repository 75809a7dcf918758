import { useAnswer } from '../../session/answers.ts'
import { useUrl, withQuery } from '../../session/router.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useFieldNames } from '../history/field-changes.tsx'
import { type ListedProposal, listProposals, pathOfProposal, useAuthor } from './proposals-api.ts'
import { useFailureText } from './share.tsx'

/** The parts of the list, by the name that the address has for them; the first has none. */
const VIEWS = {
  all: () => true,
  mine: ({ isOwn }) => isOwn,
  scheduled: ({ publishAt }) => publishAt !== '',
  failed: ({ failure }) => failure !== null,
} as const satisfies Readonly<Record<string, (proposal: ListedProposal) => boolean>>

type View = keyof typeof VIEWS

const NAMES = Object.keys(VIEWS) as ReadonlyArray<View>

/** A proposal: for which entry, what it changes, by whom, and what becomes of it. */
const Entry = ({ proposal }: { readonly proposal: ListedProposal }) => {
  const { proposals: words, library, feed, languages } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const authorOf = useAuthor()
  const namesOf = useFieldNames()
  const failureOf = useFailureText()
  const { contentType, itemId, title, lang, fields, by, at, publishAt, failure, isCurrent } = proposal
  const kind = contentType === 'library' ? library.edit : feed.edit
  return (
    <li className="revision">
      <div className="revision-head">
        <div>
          <h2 lang={lang}>
            <a href={pathOfProposal(contentType, itemId)}>{title}</a>
          </h2>
          <p className="hint">
            {kind} · {languages[lang]} · {words.by(authorOf(by), momentOf(at))}
          </p>
        </div>
        {publishAt !== '' && <span className="tag">{words.moment.tag(momentOf(publishAt))}</span>}
        {!isCurrent && <span className="tag">{words.staleTag}</span>}
      </div>
      <p>{fields.length === 0 ? words.none : words.changed(namesOf(fields))}</p>
      {failure !== null && <p className="field-errors">{failureOf(failure)}</p>}
    </li>
  )
}

/** The open proposals, the oldest first (C16). */
export const ProposalsPage = () => {
  const { proposals: words, loading } = useMessages()
  const url = useUrl()
  const { answer, error, reload } = useAnswer('proposals', listProposals)
  const view = NAMES.find((name) => name === url.searchParams.get('show')) ?? 'all'
  const shown = answer?.data.filter(VIEWS[view]) ?? []
  return (
    <div className="page proposals">
      <h1>{words.title}</h1>
      <p>{words.intro}</p>
      <nav className="views" aria-label={words.views}>
        {NAMES.map((name) => (
          <a
            key={name}
            href={withQuery(url, { show: name === 'all' ? '' : name })}
            aria-current={name === view ? 'page' : undefined}
          >
            {words.view[name]}
          </a>
        ))}
      </nav>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {answer === undefined && error === undefined && <p className="loading">{loading}</p>}
      {answer !== undefined && shown.length === 0 && (
        <div className="empty">
          <Icon name="pen" />
          <p>{words.empty}</p>
        </div>
      )}
      <ol className="revisions">
        {shown.map((proposal) => (
          <Entry key={proposal.itemId} proposal={proposal} />
        ))}
      </ol>
    </div>
  )
}
