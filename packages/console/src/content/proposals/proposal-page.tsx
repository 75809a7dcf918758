import { useEffect, useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { useOnce } from '../../session/answers.ts'
import type { PageProps } from '../../session/match.ts'
import { goTo, usePageTitle } from '../../session/router.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { BackLink, Button, Icon } from '../../ui/controls.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/problem.tsx'
import { OtherTab, Restored, SaveState } from '../editor/copy-notices.tsx'
import { type CopyState, writeCopy } from '../editor/copy-writer.ts'
import { ChangedBy, Clashes, Refusal } from '../editor/refusal.tsx'
import { useLeaveGuard } from '../editor/use-save.ts'
import { copyContent, type KeptCopy, useWorkingCopy, type WorkingCopy } from '../editor/working-copies.ts'
import { FieldChanges, useFieldNames } from '../history/field-changes.tsx'
import { slotsOf } from '../images/use-images.ts'
import { type ContentType, pathOf } from '../items.ts'
import { changesAgainst, type ProposedChange } from './merge.ts'
import { Discard, Form, Moment } from './proposal-form.tsx'
import { type ShownProposal, useAuthor } from './proposals-api.ts'
import { useFailureText } from './share.tsx'
import { copyKeyOf, editorStartOf, loadProposal, type ProposalEditor, useProposal } from './use-proposal.ts'

const MOMENT = { dateStyle: 'long', timeStyle: 'short' } as const

/** The ids of the notices about clashes with the live version, and with what a colleague has saved in the proposal. */
const [CLASHES, COLLEAGUE] = ['clashes', 'colleague-clashes'] as const

interface Subject {
  readonly contentType: ContentType
  readonly itemId: string
}

/** Says that there is no proposal. Text that was typed into it goes on in the editor of the entry. */
const Gone = ({ contentType, itemId, copy }: Subject & { readonly copy: WorkingCopy | undefined }) => {
  const { proposals: words, copies } = useMessages()
  const [typed, setTyped] = useState(copy)
  const discard = () => {
    setTyped(undefined)
    void writeCopy(copyKeyOf(itemId), undefined, copy?.updatedAt)
  }
  const goOn = async () => {
    if (copy !== undefined) {
      const { fields, base } = copy
      const content = {
        contentType,
        baseETag: '',
        fields: JSON.stringify({ ...fields, base: JSON.stringify(base) }),
      }
      await writeCopy(itemId, content, '')
      await writeCopy(copyKeyOf(itemId), undefined, copy.updatedAt)
    }
    goTo(pathOf(contentType, itemId))
  }
  return (
    <div className="page narrow">
      <h1>{words.gone}</h1>
      <p>{words.goneText}</p>
      {typed === undefined ? (
        <p>
          <a href={pathOf(contentType, itemId)}>{words.toItem[contentType]}</a>
        </p>
      ) : (
        <div className="notice">
          <p>{words.typed}</p>
          <Button onPress={() => void goOn()}>{words.goOn}</Button>
          <Button onPress={discard}>{copies.discard}</Button>
        </div>
      )}
    </div>
  )
}

/** Says why the proposal was not published at its moment. */
const Failure = ({ failure }: { readonly failure: ShownProposal['proposal']['failure'] }) => {
  const textOf = useFailureText()
  if (failure === null) return null
  return (
    <div className="notice problem">
      <p>{textOf(failure)}</p>
    </div>
  )
}

/** Says that the live version has changed since the proposal began, by whom, and what the person must choose (C16). */
const Stale = ({ contentType, itemId, proposal }: Subject & { readonly proposal: ProposalEditor }) => {
  const { proposals: words } = useMessages()
  const { shown, editor, clashes, settle } = proposal
  if (shown.proposal.isCurrent) return null
  if (shown.live.item.status !== 'Live')
    return (
      <div className="notice problem">
        <p>{words.notLive}</p>
        <ChangedBy contentType={contentType} itemId={itemId} />
      </div>
    )
  if (clashes.length > 0)
    return (
      <Clashes
        id={CLASHES}
        item={shown.live.item}
        clashes={clashes}
        fields={editor.state.fields}
        onSettle={settle}
        words={{
          ...{ title: words.stale, text: words.clashText, before: words.before },
          ...{ theirs: words.live, mine: words.proposed },
          ...{ useTheirs: words.useLive, keepMine: words.useProposed },
        }}
      />
    )
  return (
    <section className="notice" aria-labelledby="stale">
      <h2 id="stale">{words.stale}</h2>
      <ChangedBy contentType={contentType} itemId={itemId} />
      <p>{words.staleText}</p>
    </section>
  )
}

/** The bar with the acts on a proposal. */
const Acts = ({
  proposal: { shown, isBusy, isUnsaved, save },
  copy,
  onAsk,
}: {
  readonly proposal: ProposalEditor
  readonly copy: CopyState
  readonly onAsk: () => void
}) => {
  const { proposals: words, editor: editorWords } = useMessages()
  const isLive = shown.live.item.status === 'Live'
  const isSavable = isUnsaved && isLive
  useShortcuts('editor', { save: () => void (isSavable && save()) })
  return (
    <Group className="editor-actions" aria-label={editorWords.acts}>
      <SaveState isBusy={isBusy} copy={copy} />
      {isSavable && <Button onPress={() => void save()}>{words.save}</Button>}
      {isLive && (
        <Button kind="primary" onPress={onAsk}>
          {words.publish}
        </Button>
      )}
    </Group>
  )
}

/** The head of the page: the way back, the title, the preview, and who proposed it. */
const Head = ({ contentType, itemId, proposal }: Subject & { readonly proposal: ProposalEditor }) => {
  const messages = useMessages()
  const { proposals: words, preview } = messages
  const momentOf = useMoment(MOMENT)
  const authorOf = useAuthor()
  const { shown, editor } = proposal
  const { fields } = editor.state
  const { by, at } = shown.proposal
  usePageTitle(fields.itemTitle && `${fields.itemTitle} · ${words.one}`)
  return (
    <>
      <BackLink href={pathOf(contentType, itemId)} text={messages[contentType].edit} />
      <div className="page-head">
        <h1 lang={fields.lang}>{fields.itemTitle}</h1>
        <div className="page-links">
          <a href={`${pathOf(contentType, itemId)}/preview?text=proposal`}>
            <Icon name="image" />
            {preview.link}
          </a>
          <span className="tag">{words.one}</span>
        </div>
      </div>
      <p className="hint">{words.by(authorOf(by), momentOf(at))}</p>
    </>
  )
}

/** Notices before the text: why it was not published, unsaved and refused text, and changes by others. */
const Notices = ({
  contentType,
  itemId,
  proposal,
  copy,
}: Subject & { readonly proposal: ProposalEditor; readonly copy: KeptCopy }) => {
  const { proposals: words } = useMessages()
  const { shown, editor } = proposal
  const { state, isDirty } = editor
  return (
    <>
      <Failure failure={shown.proposal.failure} />
      {state.restoredAt !== undefined && isDirty && (
        <Restored at={state.restoredAt} onDiscard={editor.discard} text={words.restored} />
      )}
      <OtherTab copy={copy} contentType={contentType} editor={editor} />
      <Refusal state={state} slots={slotsOf(contentType)} />
      <Stale contentType={contentType} itemId={itemId} proposal={proposal} />
      <Clashes
        id={COLLEAGUE}
        item={undefined}
        clashes={state.clashes}
        fields={state.fields}
        onSettle={editor.settle}
      />
    </>
  )
}

/** What readers would notice, word by word. */
const Comparison = ({
  proposal: { shown, editor },
  changes,
}: {
  readonly proposal: ProposalEditor
  readonly changes: ReadonlyArray<ProposedChange>
}) => {
  const { proposals: words } = useMessages()
  return (
    <section className="comparison" aria-labelledby="changes">
      <h2 id="changes">{words.changes}</h2>
      {editor.isDirty && <p className="hint">{words.unsaved}</p>}
      {changes.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <FieldChanges changes={changes} lang={editor.state.fields.lang ?? shown.live.item.lang} />
      )}
    </section>
  )
}

/** Asks before readers see the proposal, and names what they will see. */
const AskPublish = ({
  proposal: { shown, editor, publish },
  changes,
  onDone,
}: {
  readonly proposal: ProposalEditor
  readonly changes: ReadonlyArray<ProposedChange>
  readonly onDone: () => void
}) => {
  const { proposals: words } = useMessages()
  const namesOf = useFieldNames()
  const { fields } = editor.state
  const isForDonors = shown.live.item.isDonorRestricted === '1' && fields.isDonorRestricted === '1'
  const textOf = isForDonors ? words.publishDonors : words.publishText
  return (
    <ConfirmDialog
      title={words.publishTitle(fields.itemTitle ?? '')}
      confirm={words.publish}
      keep={words.keep}
      onCancel={onDone}
      onConfirm={() => {
        onDone()
        void publish()
      }}
    >
      <p>{changes.length === 0 ? words.publishSame : textOf(namesOf(changes.map(({ field }) => field)))}</p>
    </ConfirmDialog>
  )
}

/** Moves the focus to a notice with a choice that is still open. Returns whether there is one. */
const focusClash = (): boolean => {
  const open = document.getElementById(CLASHES) ?? document.getElementById(COLLEAGUE)
  open?.focus()
  return open !== null
}

/** An open proposal: what readers would notice, or the form of its text, and the acts. */
const OpenProposal = ({
  contentType,
  itemId,
  first,
  copy: restored,
  onGone,
}: Subject & {
  readonly first: ShownProposal
  readonly copy: WorkingCopy | undefined
  /** Called when a colleague has published or discarded it. */
  readonly onGone: () => void
}) => {
  const { proposals: words, editor: editorWords } = useMessages()
  const [start] = useState(() => editorStartOf(first, restored))
  const [isEditing, setEditing] = useState(restored !== undefined)
  const [isAsked, setAsked] = useState(false)
  const proposal = useProposal(contentType, itemId, first, start, focusClash)
  const { shown, isGone, editor } = proposal
  const { state, isDirty } = editor
  const content = isDirty ? copyContent(contentType, state) : undefined
  const copy = useWorkingCopy(copyKeyOf(itemId), content, start.restoredAt)
  const isUploading = slotsOf(contentType).some((slot) => proposal.imageStateOf(slot).progress !== undefined)
  useLeaveGuard(copy.state, isUploading, editorWords.leave)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is loaded again when the proposal goes, and only then
  useEffect(() => (isGone ? onGone() : undefined), [isGone])
  const changes = changesAgainst(shown.live.item, state.saved?.item ?? shown.proposed, state.fields)
  return (
    <div className="page editor proposal">
      <Head contentType={contentType} itemId={itemId} proposal={proposal} />
      <Notices contentType={contentType} itemId={itemId} proposal={proposal} copy={copy} />
      <form className="editor-grid" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="editor-text">
          {isEditing ? (
            <Form contentType={contentType} proposal={proposal} />
          ) : (
            <Comparison proposal={proposal} changes={changes} />
          )}
          <div className="actions">
            <Button onPress={() => setEditing(!isEditing)}>{isEditing ? words.compare : words.edit}</Button>
          </div>
        </div>
        <div className="editor-aside">
          {shown.live.item.status === 'Live' && <Moment key={shown.proposal.publishAt} proposal={proposal} />}
          <Discard proposal={proposal} />
        </div>
      </form>
      <Acts proposal={proposal} copy={copy.state} onAsk={() => focusClash() || setAsked(true)} />
      {isAsked && <AskPublish proposal={proposal} changes={changes} onDone={() => setAsked(false)} />}
    </div>
  )
}

const ProposalPage = ({ contentType, itemId }: Subject) => {
  const { loading } = useMessages()
  const { data, error, retry } = useOnce(`proposal ${contentType}/${itemId}`, () =>
    loadProposal(contentType, itemId),
  )
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <p className="loading">{loading}</p>
  const { shown, copy } = data
  if (shown === undefined) return <Gone contentType={contentType} itemId={itemId} copy={copy} />
  return <OpenProposal contentType={contentType} itemId={itemId} first={shown} copy={copy} onGone={retry} />
}

export const LibraryProposalPage = ({ params }: PageProps) => (
  <ProposalPage contentType="library" itemId={params['id'] ?? ''} />
)

export const FeedProposalPage = ({ params }: PageProps) => (
  <ProposalPage contentType="feed" itemId={params['id'] ?? ''} />
)
