import { ApiError } from '@almoner/client'
import type { Messages } from '../messages/en.ts'
import { useMessages } from '../session/session.tsx'
import { Button } from './controls.tsx'

/** The status where an item has changed since the page has read it. */
const HAS_CHANGED = 412

/** Whether an act was refused because its item has changed since the page has read it (C10). */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.status === HAS_CHANGED

/** Says that the server could not be asked, or what it answered, and offers to try again. */
export const Problem = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => {
  const { problems, retry } = useMessages()
  const text = error instanceof ApiError ? problems.answered(error.status) : problems.offline
  return (
    <div className="notice problem" role="alert">
      <p>{text}</p>
      {error instanceof ApiError && error.requestId !== undefined && (
        <p className="hint">{problems.request(error.requestId)}</p>
      )}
      {onRetry !== undefined && <Button onPress={onRetry}>{retry}</Button>}
    </div>
  )
}

/** The server's messages about fields, by a part of their text. A message that stands here nowhere is shown as it is. */
const KNOWN: ReadonlyArray<readonly [pattern: RegExp, key: keyof Messages['fieldErrors']]> = [
  [/upload a cover/, 'cover'],
  [/upload a notification image/, 'notification'],
  [/photo to be Live/, 'photo'],
  [/^is required/, 'required'],
  [/^must not be empty/, 'required'],
  [/absolute http/, 'url'],
  [/^must be a URL/, 'url'],
  [/user name or password/, 'urlSecrets'],
  [/calendar day/, 'day'],
  [/pixels on a side/, 'imageSide'],
  [/pixels high and/, 'imageSize'],
  [/^must have at most/, 'long'],
  [/U\+0000/, 'characters'],
  [/larger than the/, 'pushSize'],
  [/names no image/, 'imageGone'],
  [/JPEG or PNG/, 'imageType'],
  [/file ends before/, 'imageCut'],
  [/decode whole/, 'imageBroken'],
  [/animated/, 'imageAnimated'],
  [/taken already/, 'taken'],
  [/letters, digits/, 'identifier'],
  [/email address/, 'email'],
  [/^must have 12 to/, 'passwordLength'],
  [/your address or your name/, 'passwordOwn'],
  [/app shows now/, 'code'],
  [/begin again/, 'tooLate'],
]

/** Returns a message of the server about a field in the person's language, where it is known. */
export const fieldErrorText = (message: string, { fieldErrors }: Messages): string => {
  const [, key] = KNOWN.find(([pattern]) => pattern.test(message)) ?? []
  return key === undefined ? message : fieldErrors[key]
}

/** Returns what an answer of the server with an error says to a person: each bad field, or the problem as a whole. */
export const problemTexts = (
  { status, code, errors }: Pick<ApiError, 'status' | 'errors'> & { readonly code: string },
  messages: Messages,
): ReadonlyArray<string> => {
  if (errors.length > 0) return errors.map(({ message }) => fieldErrorText(message, messages))
  const codes: Readonly<Record<string, string | undefined>> = messages.problems.codes
  return [codes[code] ?? messages.problems.answered(status)]
}

/** The format of a file that the server names where it takes another one (D7). */
const FORMAT = /; this is ([^:]+):/

/** Returns what a failed call says to a person: each bad field, or the problem as a whole. */
export const errorTexts = (error: unknown, messages: Messages): ReadonlyArray<string> => {
  if (!(error instanceof ApiError)) return [messages.problems.offline]
  if (error.code !== 'unsupported_media_type') return problemTexts(error, messages)
  const format = FORMAT.exec(error.message)?.[1]
  return [format === undefined ? messages.fieldErrors.imageType : messages.images.format(format)]
}

/** Says why an act failed; nothing if it did not. */
export const Refusal = ({ error }: { readonly error: unknown }) => {
  const messages = useMessages()
  if (error === undefined) return null
  return (
    <div className="notice problem" role="alert">
      {errorTexts(error, messages).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
