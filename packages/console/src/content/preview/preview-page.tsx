import { useState } from 'react'
import { useActs, useAnswer } from '../../session/answers.ts'
import { consoleApi } from '../../session/api.ts'
import type { PageProps } from '../../session/match.ts'
import { useUrl } from '../../session/router.ts'
import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { BackLink, Button, Icon } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { Problem, Refusal } from '../../ui/problem.tsx'
import {
  type ContentType,
  type Item,
  isPost,
  itemIdOf,
  NEW_COPY,
  pathOf,
  pathOfComposer,
  pathOfNew,
  shownImage,
} from '../items.ts'
import { type Language, readLanguages, readUnsaved, TEXTS } from './previewed.ts'

type Scheme = 'light' | 'dark'
type Text = keyof Language['texts']

/** The sizes of phones, by the classes that give them. */
const SIZES = ['small', 'large'] as const

/** The words of a phone, which are in the language of the item. */
const PHONE_WORDS = {
  en: { more: 'Read more', watch: 'Watch the video', donors: 'For donors' },
  fr: { more: 'Lire la suite', watch: 'Voir la vidéo', donors: 'Pour les donateurs' },
} as const

/** The picture of an item with its smaller versions; its width on a phone is known beforehand (D8). */
const Picture = ({ item }: { readonly item: Item }) => {
  const image = shownImage(item, isPost(item) ? 'image' : 'cover')
  if (image === undefined) return null
  const srcSet = image.renditions.map(({ url, width }) => `${url} ${width}w`).join(', ')
  return (
    <img
      className={isPost(item) ? 'post' : 'cover'}
      src={image.url}
      {...(srcSet !== '' && { srcSet, sizes: '22rem' })}
      alt={image.alt}
    />
  )
}

/** How an address begins that an app can open; typed text may be any. */
const WEB = /^https?:\/\//i

/** What an app shows of an item. */
const Shown = ({ item, heading }: { readonly item: Item; readonly heading: string }) => {
  const { language } = useSession().session.manager
  const words = PHONE_WORDS[item.lang]
  const day = isPost(item) ? item.createdAt.slice(0, 10) : item.itemPublicationDate
  const date = new Intl.DateTimeFormat(item.lang, { dateStyle: 'long', timeZone: 'UTC' })
  // Typed text may lack anything.
  const isDated = !Number.isNaN(Date.parse(day))
  const isTitled = item.itemTitle.trim() !== ''
  const labels = (item.labels ?? []).map(({ label }) => label)
  const target = isPost(item) && item.itemType === 'vlink' ? item.vlink : item.link
  return (
    <article lang={item.lang} aria-labelledby={isTitled ? heading : undefined}>
      <Picture item={item} />
      <div className="phone-text">
        <p className="phone-date">
          {isDated && <time dateTime={day}>{date.format(new Date(day))}</time>}
          {item.isDonorRestricted === '1' && <span>{words.donors}</span>}
        </p>
        {isTitled && <h3 id={heading}>{item.itemTitle}</h3>}
        <p className="phone-description">{item.itemDescription}</p>
        {labels.length > 0 && (
          <ul className="phone-labels">
            {labels.map((label) => (
              <li key={label.labelId}>{label[item.lang]}</li>
            ))}
          </ul>
        )}
        {WEB.test(target) && (
          <a href={target} target="_blank" rel="noopener noreferrer" hrefLang={language}>
            {isPost(item) && item.itemType === 'vlink' ? words.watch : words.more}
          </a>
        )}
      </div>
    </article>
  )
}

/** The phones of both sizes, in one scheme. */
const Phones = ({ item, scheme }: { readonly item: Item; readonly scheme: Scheme }) => {
  const { preview } = useMessages()
  return (
    <div className="phones">
      {SIZES.map((size) => (
        <figure key={size}>
          <figcaption>{preview.sizes[size]}</figcaption>
          {/* A phone scrolls, also by the keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus */}
          <section className={`phone ${size} ${scheme}`} tabIndex={0} aria-label={preview.sizes[size]}>
            <Shown item={item} heading={`phone-${size}`} />
          </section>
        </figure>
      ))}
    </div>
  )
}

/** Opens one text of an item in the app of the foundation, if the service knows its address (A11). */
const InApp = ({
  contentType,
  itemId,
  text,
}: {
  readonly contentType: ContentType
  readonly itemId: string | undefined
  readonly text: Text
}) => {
  const { preview } = useMessages()
  const { previews } = useSession().session
  const { refused, isBusy, run } = useActs()
  const [made, setMade] = useState<{ readonly url: string; readonly expiresAt: string }>()
  const timeOf = useMoment({ timeStyle: 'short' })
  if (!previews) return null
  if (itemId === undefined) return <p className="hint">{preview.saveFirst}</p>
  const sent = { path: { itemId }, body: { text } }
  const make = () =>
    void run(
      () =>
        contentType === 'library'
          ? consoleApi.post('/library/{itemId}/preview', sent)
          : consoleApi.post('/feed/{itemId}/preview', sent),
      ({ data }) => {
        setMade(data.preview)
        // Neither may the app reach this page, nor learn its address.
        globalThis.open(data.preview.url, '_blank', 'noopener,noreferrer')
      },
    )
  return (
    <div className="preview-in-app">
      <Button isDisabled={isBusy} onPress={make}>
        {preview.inApp}
      </Button>
      {made !== undefined && (
        <p role="status">
          {preview.opened(timeOf(made.expiresAt))}{' '}
          <a href={made.url} target="_blank" rel="noopener noreferrer">
            {preview.again}
          </a>
        </p>
      )}
      <Refusal error={refused} />
    </div>
  )
}

/** Shows the versions of an entry as the phones of readers do: both sizes, in each language that there is, light and dark. */
const Versions = ({
  contentType,
  languages,
  start,
  back,
}: {
  readonly contentType: ContentType
  readonly languages: ReadonlyArray<Language>
  readonly start: Text
  readonly back: string
}) => {
  const words = useMessages()
  const { preview } = words
  const [scheme, setScheme] = useState<Scheme>('light')
  const [lang, setLang] = useState<string>()
  const [text, setText] = useState(start)
  const found = languages.find((one) => one.lang === lang) ?? languages[0]
  const there = TEXTS.filter((name) => found?.texts[name] !== undefined)
  const shown = there.includes(text) ? text : (there.at(-1) ?? 'item')
  const item = found?.texts[shown]
  if (found === undefined || item === undefined)
    return (
      <div className="page narrow">
        <h1>{words.editor.goneTitle}</h1>
        <p>{words.editor.goneText}</p>
      </div>
    )
  return (
    <div className="page preview">
      <BackLink href={back} text={words[contentType].edit} />
      <div className="page-head">
        <h1>{preview.title}</h1>
        <div className="page-links">
          {contentType === 'library' && item.status === 'Live' && (
            <a href={pathOfComposer(item.itemId)}>
              <Icon name="bell" />
              {preview.asNotification}
            </a>
          )}
          <StatusMark status={item.status} />
        </div>
      </div>
      <p>{preview.intro[shown]}</p>
      <div className="preview-choices">
        {there.length > 1 && (
          <Choice
            label={preview.text}
            value={shown}
            options={there.map((value) => ({ value, label: preview.texts[value] }))}
            onChange={(next) => setText(TEXTS.find((name) => name === next) ?? 'item')}
          />
        )}
        {languages.length > 1 && (
          <Choice
            label={preview.language}
            value={found.lang}
            options={languages.map(({ lang: value }) => ({ value, label: preview.languages[value] }))}
            onChange={setLang}
          />
        )}
        <Choice
          label={preview.scheme}
          value={scheme}
          options={(['light', 'dark'] as const).map((value) => ({ value, label: preview.schemes[value] }))}
          onChange={(next) => setScheme(next === 'dark' ? 'dark' : 'light')}
        />
      </div>
      <InApp key={`${found.itemId} ${shown}`} contentType={contentType} itemId={found.itemId} text={shown} />
      <Phones item={item} scheme={scheme} />
    </div>
  )
}

const Preview = ({ contentType, id }: { readonly contentType: ContentType; readonly id: string }) => {
  const { loading } = useMessages()
  const { searchParams } = useUrl()
  const itemId = itemIdOf(id)
  const copyKey = searchParams.get(NEW_COPY) ?? ''
  const { answer, error, reload } = useAnswer(`preview/${contentType}/${itemId ?? copyKey}`, (signal) =>
    itemId === undefined
      ? readUnsaved(contentType, copyKey, signal)
      : readLanguages(contentType, itemId, signal),
  )
  if (error !== undefined) return <Problem error={error} onRetry={reload} />
  if (answer === undefined) return <p className="loading">{loading}</p>
  return (
    <Versions
      contentType={contentType}
      languages={answer.data}
      start={searchParams.get('text') === 'proposal' ? 'proposal' : 'copy'}
      back={itemId === undefined ? pathOfNew(contentType, copyKey) : pathOf(contentType, itemId)}
    />
  )
}

export const LibraryPreviewPage = ({ params }: PageProps) => (
  <Preview contentType="library" id={params['id'] ?? ''} />
)

export const FeedPreviewPage = ({ params }: PageProps) => (
  <Preview contentType="feed" id={params['id'] ?? ''} />
)
