import { useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { Restored, SaveState } from '../content/editor/copy-notices.tsx'
import { listCopies, writeCopy } from '../content/editor/copy-writer.ts'
import { pathOfComposer } from '../content/items.ts'
import { listLabels, listRows, useLabelNames } from '../content/items-api.ts'
import { Thumb } from '../content/list/item-list.tsx'
import { LANGUAGES, type Side } from '../content/translation/pair-api.ts'
import { at } from '../paths.ts'
import { useAnswer, useOnce } from '../session/answers.ts'
import { goTo, useUrl } from '../session/router.ts'
import { useMessages, useMoment, useSession } from '../session/session.tsx'
import { BackLink, Button, SelectField } from '../ui/controls.tsx'
import { errorTexts, Problem } from '../ui/problem.tsx'
import { ComposerSide } from './composer/composer-side.tsx'
import { type Draft, toSchedule } from './composer/draft.ts'
import { AnnouncedList, LastQuestion } from './composer/last-question.tsx'
import {
  type ComposerStart,
  listOwnDevices,
  loadComposer,
  type OwnDevice,
  sendTest,
} from './composer/load-composer.ts'
import { OtherTab } from './composer/other-tab.tsx'
import { TimeFields } from './composer/time-fields.tsx'
import { useComposer, usePreview, useSettled } from './composer/use-composer.ts'

/** Publications that are offered at once. */
const MOST = 8

/** Chooses what to write about: a publication that is Live, or nothing in particular. */
const ChoosePublication = () => {
  const { composer: words, list, languages } = useMessages()
  const [typed, setTyped] = useState('')
  const q = useSettled(typed)
  const query = { status: 'Live', lim: MOST, offset: 0, ...(q !== '' && { q }) } as const
  const { answer } = useAnswer(`to notify ${q}`, (signal) => listRows('library', query, signal))
  const rows = answer?.data.rows ?? []
  return (
    <div className="choose-publication">
      <label className="text-field">
        <span className="label">{words.choose}</span>
        <input
          type="search"
          value={typed}
          maxLength={200}
          placeholder={list.search}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <ul className="rows">
        {rows.map((row) => {
          const live = row.sides.filter(({ status }) => status === 'Live')
          const { itemId, itemTitle, lang } = live[0] ?? row.sides[0]
          return (
            <li key={row.id} className="row">
              <Thumb row={row} />
              <div className="row-text">
                <a className="title" href={pathOfComposer(itemId)} lang={lang}>
                  {itemTitle}
                </a>
                <p className="meta">{live.map((side) => languages[side.lang]).join(', ')}</p>
              </div>
            </li>
          )
        })}
      </ul>
      {answer !== undefined && rows.length === 0 && <p>{words.nothingFound}</p>}
      <p>
        <a href={pathOfComposer('none')}>{words.without}</a>
      </p>
    </div>
  )
}

const Sender = ({
  draft,
  devices,
}: {
  readonly draft: Draft
  readonly devices: readonly [OwnDevice, ...ReadonlyArray<OwnDevice>]
}) => {
  const messages = useMessages()
  const { composer: words, languages } = messages
  const dayOf = useMoment({ dateStyle: 'long' })
  const [device, setDevice] = useState(devices[0].number)
  const [said, setSaid] = useState('')
  const kinds: Readonly<Record<string, string | undefined>> = words.kinds
  const nameOf = useLabelNames()
  const send = async (side: Side) => {
    setSaid(words.testing)
    try {
      const { outcome, reason, topic } = await sendTest(side, draft.sides[side], device)
      const followers = topic === null ? '' : words.followers(topic.people, nameOf(topic.labelId))
      setSaid([words.outcomes[outcome](reason), followers].filter((text) => text !== '').join(' '))
    } catch (error) {
      setSaid(errorTexts(error, messages).join(' '))
    }
  }
  return (
    <>
      <SelectField
        label={words.device}
        value={String(device)}
        options={devices.map(({ number, kind, attachedAt }) => ({
          value: String(number),
          label: words.ownDevice(kinds[kind] ?? kind, dayOf(attachedAt)),
        }))}
        onChange={(number) => setDevice(Number(number))}
      />
      <div className="actions">
        {toSchedule(draft).map((side) => (
          <Button key={side} onPress={() => void send(side)}>
            {words.testIn(languages[side])}
          </Button>
        ))}
      </div>
      <p role="status">{said}</p>
    </>
  )
}

/** Sends the text as it is to one device of the signed-in person. */
const TestPush = ({ draft }: { readonly draft: Draft }) => {
  const { composer: words } = useMessages()
  const { email } = useSession().session.manager
  const { data } = useOnce('own devices', listOwnDevices)
  const [first, ...others] = data ?? []
  return (
    <section className="test-push" aria-labelledby="test-head">
      <h2 id="test-head">{words.test}</h2>
      <p className="hint">{words.testHint}</p>
      {data !== undefined && first === undefined && <p>{words.noOwnDevice(email)}</p>}
      {first !== undefined && <Sender draft={draft} devices={[first, ...others]} />}
    </section>
  )
}

/** Chooses the topic: only people who follow it, or everything, get the notifications (G12). */
const TopicField = ({
  draft,
  onChange,
}: {
  readonly draft: Draft
  readonly onChange: (labelId: string) => void
}) => {
  const { composer: words } = useMessages()
  const { language } = useSession().session.manager
  const labels = useAnswer('labels', listLabels).answer?.data ?? []
  const { labelId } = draft.sides.en
  return (
    <SelectField
      label={words.topic}
      value={labelId}
      options={[
        { value: '', label: words.everyone },
        ...labels.map((label) => ({ value: label.labelId, label: label[language] })),
        ...(labelId !== '' && labels.every((label) => label.labelId !== labelId)
          ? [{ value: labelId, label: labelId }]
          : []),
      ]}
      onChange={onChange}
    />
  )
}

/** Writes one notification in English and French, and schedules both in one act. */
const Composer = ({ start }: { readonly start: ComposerStart }) => {
  const messages = useMessages()
  const { composer: words } = messages
  const { state, copy, adopt, setSide, setTime, discard, ask, answer } = useComposer(start)
  const { draft, restoredAt, isBusy, question, errors, failure } = state
  const { en, fr } = start.publications
  const previews = { en: usePreview('en', draft.sides.en), fr: usePreview('fr', draft.sides.fr) }
  const publications = { en: en ?? fr, fr: fr ?? en }
  const hasAny = toSchedule(draft).length > 0
  const hasErrors = Object.keys(errors).length > 0
  return (
    <>
      <AnnouncedList announced={start.announced} />
      {restoredAt !== undefined && <Restored at={restoredAt} onDiscard={discard} text={words.restored} />}
      <OtherTab copy={copy} draft={draft} onTake={adopt} />
      <form className="composer" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="sides">
          {LANGUAGES.map((side) => (
            <ComposerSide
              key={side}
              side={side}
              draft={draft.sides[side]}
              publication={publications[side]}
              isOther={publications[side] !== start.publications[side]}
              isFixed={
                start.changes[side] !== undefined && start.changes[side === 'en' ? 'fr' : 'en'] !== undefined
              }
              preview={previews[side]}
              errors={errors[side] ?? []}
              onChange={(part) => setSide(side, part)}
            />
          ))}
        </div>
        <div className="composer-shared">
          <TopicField
            draft={draft}
            onChange={(labelId) => LANGUAGES.map((side) => setSide(side, { labelId }))}
          />
          <TimeFields time={draft.time} onChange={setTime} />
          <TestPush draft={draft} />
        </div>
      </form>
      {hasErrors && (
        <p className="notice problem" role="alert">
          {words.hasErrors}
        </p>
      )}
      {failure !== undefined && (
        <div className="notice problem" role="alert">
          <p>{errorTexts(failure, messages).join(' ')}</p>
        </div>
      )}
      <Group className="editor-actions" aria-label={words.acts}>
        <SaveState isBusy={isBusy} copy={copy.state} />
        {!hasAny && <p>{words.noLanguage}</p>}
        <Button
          kind="primary"
          onPress={() => {
            if (!isBusy && hasAny) void ask()
          }}
        >
          {draft.time.when === 'now' ? words.sendNow : words.schedule}
        </Button>
      </Group>
      {question !== undefined && (
        <LastQuestion question={question} draft={draft} onAnswer={(isYes) => void answer(isYes)} />
      )}
    </>
  )
}

/** Says that a notification cannot be changed any more, and offers to discard what the person has written for it. */
const Started = ({ id }: { readonly id: string }) => {
  const { composer: words, copies } = useMessages()
  const path = at(`/console/notifications/${id}`)
  const key = `change-${id}`
  const { data } = useOnce(key, listCopies)
  return (
    <div className="notice">
      <p>{words.started}</p>
      <a href={path}>{words.look}</a>
      {data?.some((copy) => copy.key === key) && (
        <Button onPress={() => void writeCopy(key, undefined).then(() => goTo(path))}>
          {copies.discard}
        </Button>
      )}
    </div>
  )
}

const Loaded = ({ query }: { readonly query: URLSearchParams }) => {
  const messages = useMessages()
  const { timeZone } = useSession().session
  const { data, error, retry } = useOnce(`compose ${query}`, async () => ({
    start: await loadComposer(query, timeZone),
  }))
  if (error !== undefined) return <Problem error={error} onRetry={retry} />
  if (data === undefined) return <p className="loading">{messages.loading}</p>
  const { start } = data
  if (start === 'gone') return <p>{messages.composer.gone}</p>
  if (start === 'started') return <Started id={query.get('change') ?? ''} />
  return <Composer key={start.key} start={start} />
}

/** Writes notifications: chooses a publication first, unless the URL names one (`item`) or a notification to change (`change`). */
export const NewNotificationPage = () => {
  const { composer: words, notifications } = useMessages()
  const query = useUrl().searchParams
  const isChosen = query.has('item') || query.has('change')
  return (
    <div className="page new-notification">
      <BackLink href={at('/console/notifications')} text={notifications.title} />
      <div className="page-head">
        <h1>{query.has('change') ? words.change : words.title}</h1>
      </div>
      {isChosen ? <Loaded query={query} /> : <ChoosePublication />}
    </div>
  )
}
