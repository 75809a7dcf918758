import type { Answer } from '@almoner/client'
import { useState } from 'react'
import { useActs, useAnswer } from '../../session/answers.ts'
import { api, consoleApi } from '../../session/api.ts'
import type { PageProps } from '../../session/match.ts'
import { useUrl } from '../../session/router.ts'
import { useMessages, useMoment, useSession } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { BackLink, Button, Icon } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { Problem, Refusal } from '../../ui/problem.tsx'
import { fetchCopy, listCopies } from '../editor/copy-writer.ts'
import { readCopy, startOf } from '../editor/working-copies.ts'
import { type ContentType, type Item, isPost, pathOf, pathOfComposer, shownImage } from '../items.ts'
import { listProposals, readShown } from '../proposals/proposals-api.ts'

type Scheme = 'light' | 'dark'

/** The sizes of phones, by the classes that give them. */
const SIZES = ['small', 'large'] as const

/** An item as it is saved, as the person has typed it if there is a working copy, and as it is proposed. */
type Texts = { readonly item: Item; readonly copy?: Item; readonly proposal?: Item }

const TEXTS = ['copy', 'proposal', 'item'] as const

/** Reads an item as apps get it, with images and labels; a publication with its other language, if it has one. */
const readLanguages = async (
  contentType: ContentType,
  itemId: string,
  signal: AbortSignal,
): Promise<Answer<ReadonlyArray<Texts>>> => {
  const [{ data, ...rest }, copies, proposals] = await Promise.all([
    readItems(contentType, itemId, signal),
    listCopies(signal),
    listProposals(signal),
  ])
  const copyOf = async (item: Item): Promise<Item> => {
    const copy = readCopy(contentType, await fetchCopy(item.itemId))
    return { ...item, ...startOf({ item, etag: undefined }, {}, copy).fields } as Item
  }
  const textsOf = async (item: Item): Promise<Texts> => {
    const isOfItem = (one: { readonly itemId: string }) => one.itemId === item.itemId
    const proposal = proposals.data.some(isOfItem)
      ? (await readShown(contentType, item.itemId, signal)).data?.proposed
      : undefined
    return {
      item,
      ...(copies.some(({ key }) => key === item.itemId) && { copy: await copyOf(item) }),
      ...(proposal && { proposal: withImages(item, proposal) }),
    }
  }
  return { ...rest, data: await Promise.all(data.map(textsOf)) }
}

/** Returns an item as it is proposed, with the members of the live one that were asked for. A new image has no smaller versions yet. */
const withImages = (live: Item, proposed: Item): Item => {
  const name = isPost(live) ? 'image' : 'cover'
  const url = proposed.itemRelatedLink
  const shown = shownImage(live, name)
  const image = { url, alt: shown?.alt ?? '', renditions: url === shown?.url ? shown.renditions : [] }
  return { ...live, ...proposed, images: { ...live.images, [name]: url === '' ? null : image } } as Item
}

const readItems = async (
  contentType: ContentType,
  itemId: string,
  signal: AbortSignal,
): Promise<Answer<ReadonlyArray<Item>>> => {
  const one = async (id: string): Promise<Answer<ReadonlyArray<Item>>> => {
    const asked = { query: { itemId: id, include: 'images,labels' }, signal }
    const { data, ...rest } =
      contentType === 'library'
        ? await api.get('/library/', {
            query: { ...asked.query, include: 'images,labels,translation' },
            signal,
          })
        : await api.get('/feed/', asked)
    return { ...rest, data: data.items.map(({ item }) => item) }
  }
  const found = await one(itemId)
  const other = found.data[0]?.translation?.itemId
  if (other === undefined) return found
  return { ...found, data: [...found.data, ...(await one(other)).data] }
}

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

/** What an app shows of an item. */
const Shown = ({ item, heading }: { readonly item: Item; readonly heading: string }) => {
  const { language } = useSession().session.manager
  const words = PHONE_WORDS[item.lang]
  const day = isPost(item) ? item.createdAt.slice(0, 10) : item.itemPublicationDate
  const date = new Intl.DateTimeFormat(item.lang, { dateStyle: 'long', timeZone: 'UTC' })
  const labels = (item.labels ?? []).map(({ label }) => label)
  const target = isPost(item) && item.itemType === 'vlink' ? item.vlink : item.link
  return (
    <article lang={item.lang} aria-labelledby={heading}>
      <Picture item={item} />
      <div className="phone-text">
        <p className="phone-date">
          <time dateTime={day}>{date.format(new Date(day))}</time>
          {item.isDonorRestricted === '1' && <span>{words.donors}</span>}
        </p>
        <h3 id={heading}>{item.itemTitle}</h3>
        <p className="phone-description">{item.itemDescription}</p>
        {labels.length > 0 && (
          <ul className="phone-labels">
            {labels.map((label) => (
              <li key={label.labelId}>{label[item.lang]}</li>
            ))}
          </ul>
        )}
        {target !== '' && (
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
  readonly itemId: string
  readonly text: keyof Texts
}) => {
  const { preview } = useMessages()
  const { previews } = useSession().session
  const { refused, isBusy, run } = useActs()
  const [made, setMade] = useState<{ readonly url: string; readonly expiresAt: string }>()
  const timeOf = useMoment({ timeStyle: 'short' })
  if (!previews) return null
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

/** Shows an item as the phones of readers do: both sizes, in each language that there is, light and dark. */
const Preview = ({ contentType, itemId }: { readonly contentType: ContentType; readonly itemId: string }) => {
  const words = useMessages()
  const { preview } = words
  const [scheme, setScheme] = useState<Scheme>('light')
  const [lang, setLang] = useState<string>()
  const wanted = useUrl().searchParams.get('text')
  const [text, setText] = useState<keyof Texts>(wanted === 'proposal' ? 'proposal' : 'copy')
  const { answer, error, reload } = useAnswer(`preview/${contentType}/${itemId}`, (signal) =>
    readLanguages(contentType, itemId, signal),
  )
  if (error !== undefined) return <Problem error={error} onRetry={reload} />
  if (answer === undefined) return <p className="loading">{words.loading}</p>
  const [own] = answer.data
  const found = answer.data.find(({ item }) => item.lang === lang) ?? own
  const there = TEXTS.filter((name) => found?.[name] !== undefined)
  const shown = there.includes(text) ? text : 'item'
  const item = found?.[shown] ?? found?.item
  if (item === undefined)
    return (
      <div className="page narrow">
        <h1>{words.editor.goneTitle}</h1>
        <p>{words.editor.goneText}</p>
      </div>
    )
  const languages = answer.data.map(({ item: { lang: value } }) => ({
    value,
    label: preview.languages[value],
  }))
  return (
    <div className="page preview">
      <BackLink href={pathOf(contentType, itemId)} text={words[contentType].edit} />
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
            value={found?.item.lang ?? item.lang}
            options={languages}
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
      <InApp key={`${item.itemId} ${shown}`} contentType={contentType} itemId={item.itemId} text={shown} />
      <Phones item={item} scheme={scheme} />
    </div>
  )
}

export const LibraryPreviewPage = ({ params }: PageProps) => (
  <Preview contentType="library" itemId={params['id'] ?? ''} />
)

export const FeedPreviewPage = ({ params }: PageProps) => (
  <Preview contentType="feed" itemId={params['id'] ?? ''} />
)
