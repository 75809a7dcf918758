import { ApiError } from '@almoner/client'
import { changes, useAnswer } from '../../session/answers.ts'
import { goTo } from '../../session/router.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { hideToast, showToast } from '../../ui/overlays.tsx'
import { isConflict } from '../../ui/problem.tsx'
import type { Editor } from '../editor/use-editor.ts'
import { useFieldNames } from '../history/field-changes.tsx'
import type { ContentType } from '../items.ts'
import {
  type ListedProposal,
  listProposals,
  pathOfProposal,
  shareProposal,
  useAuthor,
} from './proposals-api.ts'

/** Returns the open proposal for an item, and whether it is known yet if there is one. */
export const useProposalOf = (
  itemId: string | undefined,
): { readonly proposal: ListedProposal | undefined; readonly isKnown: boolean } => {
  const { answer } = useAnswer('proposals', listProposals)
  return { proposal: answer?.data.find((one) => one.itemId === itemId), isKnown: answer !== undefined }
}

/** Says that an entry has a proposal, and leads to it. */
export const ProposalNotice = ({ proposal }: { readonly proposal: ListedProposal }) => {
  const { proposals: words } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const authorOf = useAuthor()
  const { contentType, itemId, by, at, publishAt } = proposal
  return (
    <div className="notice">
      <p>{words.open(authorOf(by), momentOf(at))}</p>
      {publishAt !== '' && <p>{words.moment.set(momentOf(publishAt))}</p>}
      <p>
        <a href={pathOfProposal(contentType, itemId)}>{words.look}</a>
      </p>
    </div>
  )
}

/** Returns a function that says why a proposal was not published at its moment. */
export const useFailureText = (): ((failure: NonNullable<ListedProposal['failure']>) => string) => {
  const { proposals: words } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const namesOf = useFieldNames()
  return ({ at, missing }) => {
    const reason = missing.includes('revision') ? words.failedStale : words.failedFields(namesOf(missing))
    return `${words.failed(momentOf(at))} ${reason}`
  }
}

/** The proposals that were not published at their moment, with the reason. */
export const FailedProposals = ({ proposals }: { readonly proposals: ReadonlyArray<ListedProposal> }) => {
  const { proposals: words } = useMessages()
  const textOf = useFailureText()
  const failed = proposals.filter(({ failure }) => failure !== null)
  if (failed.length === 0) return null
  return (
    <section className="notice problem" aria-labelledby="failed-proposals">
      <h2 id="failed-proposals">{words.deskFailed}</h2>
      <ul>
        {failed.map(({ contentType, itemId, title, lang, failure }) => (
          <li key={itemId}>
            <a href={pathOfProposal(contentType, itemId)} lang={lang}>
              {title}
            </a>
            <p className="hint">{failure !== null && textOf(failure)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How often sharing is repeated because the item has changed meanwhile. */
const MOST_REPEATS = 2

/** Whether the server refused a proposal because there is one already, or because the item is no longer Live (C16). */
const isRefused = (error: unknown): boolean => error instanceof ApiError && error.code === 'illegal_move'

/**
 * Shares the text of an editor as a proposal. If the item has changed meanwhile, both texts are merged first; open clashes get the focus by the id of
 * their notice. Resolves to whether it is shared.
 */
const shareText = async (
  contentType: ContentType,
  editor: Editor,
  clashesId: string,
  repeats = MOST_REPEATS,
): Promise<boolean> => {
  const { saved, fields, clashes } = editor.latest()
  if (saved === undefined) return false
  if (clashes.length > 0) {
    document.getElementById(clashesId)?.focus()
    return false
  }
  try {
    await shareProposal(contentType, saved.item.itemId, fields, saved.etag)
  } catch (error) {
    if (!isConflict(error) || repeats === 0) throw error
    await editor.refresh()
    return shareText(contentType, editor, clashesId, repeats - 1)
  }
  // The proposal has the text now.
  editor.discard()
  return true
}

/** An editor whose text is shared, and the id of its notice about clashes. */
interface Shared {
  readonly editor: Editor
  readonly clashesId: string
}

/**
 * Returns the act that shares texts as proposals, in place of saving them (C16), and then opens a page. What cannot be shared is said in its
 * editor, and keeps the page open.
 */
export const useShare = (contentType: ContentType) => {
  const { proposals: words } = useMessages()
  const share = async ({ editor, clashesId }: Shared): Promise<boolean> => {
    try {
      return await shareText(contentType, editor, clashesId)
    } catch (error) {
      if (isRefused(error)) showToast({ text: words.exists })
      else editor.fail(error, 'Live')
      return false
    } finally {
      changes.report()
    }
  }
  return async (texts: ReadonlyArray<Shared>, path: string): Promise<void> => {
    hideToast()
    for (const text of texts) if (!(await share(text))) return
    goTo(path)
    showToast({ text: texts.length > 1 ? words.sharedBoth : words.shared })
  }
}
