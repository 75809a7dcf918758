import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Side } from '../../content/translation/pair-api.ts'
import { useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import type { Text } from './draft.ts'

/** Returns a reference for an element with a limited number of lines, and whether it cuts its text. */
const useCut = (text: string): readonly [RefObject<HTMLParagraphElement | null>, boolean] => {
  const element = useRef<HTMLParagraphElement>(null)
  const [isCut, setIsCut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => setIsCut(current.scrollHeight > current.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [text])
  return [element, isCut]
}

/** What a device shows of a notification, and whether it has its picture. */
interface Shown {
  readonly lang: Side
  readonly text: Text
  readonly visualUrl: string
}

/** Android and browsers have no subtitle: it is the first line of their text (G6). */
const joined = ({ subtitle, description }: Text): string =>
  [subtitle, description].filter((line) => line !== '').join('\n')

/** A line of a device's notification, cut after some lines by its class. */
const Line = ({
  className,
  text,
  cut,
}: {
  readonly className: string
  readonly text: string
  readonly cut: ReturnType<typeof useCut>[0]
}) =>
  text === '' ? null : (
    <p ref={cut} className={`cut ${className}`}>
      {text}
    </p>
  )

const Device = ({
  kind,
  shown: { lang, text, visualUrl },
  subtitle = '',
  body,
}: {
  readonly kind: 'iphone' | 'android' | 'browser'
  readonly shown: Shown
  readonly subtitle?: string
  readonly body: string
}) => {
  const { composer: words } = useMessages()
  const { timeZone } = useSession().session
  const clock = new Intl.DateTimeFormat(useLocaleName(), { timeStyle: 'short', timeZone })
  const [titleLine, isTitleCut] = useCut(text.title)
  const [subtitleLine, isSubtitleCut] = useCut(subtitle)
  const [bodyLine, isBodyCut] = useCut(body)
  const cuts = [
    isTitleCut && text.title !== '' && words.parts.title,
    isSubtitleCut && subtitle !== '' && words.parts.subtitle,
    isBodyCut && body !== '' && words.parts.text,
  ].filter((part) => part !== false)
  return (
    <figure className={`device ${kind}`}>
      <figcaption>
        {words.devices[kind]}
        <span className="hint">{cuts.length === 0 ? words.notCut : words.cut(cuts)}</span>
      </figcaption>
      <div className="screen">
        {kind === 'iphone' && (
          <p className="clock" aria-hidden="true">
            {clock.format(new Date())}
          </p>
        )}
        <div className="banner" lang={lang}>
          <div className="banner-text">
            <Line className="banner-title" text={text.title} cut={titleLine} />
            <Line className="banner-subtitle" text={subtitle} cut={subtitleLine} />
            <Line className="banner-body" text={body} cut={bodyLine} />
          </div>
          {visualUrl !== '' && <img src={visualUrl} alt="" />}
        </div>
      </div>
    </figure>
  )
}

const SCHEMES = ['light', 'dark'] as const
const SIZES = ['small', 'large'] as const

/** How a locked iPhone, the shade of Android and a browser on a computer cut the text: light and dark, on small and large phones. */
export const DevicePreviews = (shown: Shown) => {
  const { composer: words, preview } = useMessages()
  const [scheme, setScheme] = useState<string>('light')
  const [size, setSize] = useState<string>('large')
  const { text } = shown
  return (
    <section className={`devices ${scheme} ${size}`} aria-label={words.previews}>
      <div className="device-choices">
        <Choice
          label={preview.scheme}
          value={scheme}
          options={SCHEMES.map((value) => ({ value, label: preview.schemes[value] }))}
          onChange={setScheme}
        />
        <Choice
          label={preview.size}
          value={size}
          options={SIZES.map((value) => ({ value, label: preview.sizes[value] }))}
          onChange={setSize}
        />
      </div>
      <Device kind="iphone" shown={shown} subtitle={text.subtitle} body={text.description} />
      <Device kind="android" shown={shown} body={joined(text)} />
      <Device kind="browser" shown={shown} body={joined(text)} />
    </section>
  )
}
