import type { PostResponse } from '../post.ts'
import type { Meaning } from './outcomes.ts'

/**
 * What Windows says in headers of a notification that it has taken, or that was too many
 * (https://learn.microsoft.com/windows/apps/develop/notifications/push-notifications/push-request-response-headers): `dropped`, "explicitly dropped
 * because of an error or because the client has explicitly rejected these notifications", is not delivered; `channelthrottled` concerns one
 * subscription. With other answers the status decides.
 */
const MEANINGS: Readonly<Record<string, Meaning | undefined>> = {
  received: undefined,
  dropped: 'refused',
  channelthrottled: 'retry',
}

const HEADERS = ['x-wns-status', 'x-wns-notificationstatus']

/** Words that describe an error; nothing that may be a token or an address. */
const DESCRIPTION = /^(?:[a-z][\w'-]{0,20}[,.;:]?(?: |$)){1,12}$/i

/**
 * Returns the meaning of an answer with the headers of Windows, and words of theirs for operators. Answers of other services keep their meaning.
 * @param meaning that of its status and body
 */
export const readWindows = (
  header: PostResponse['header'],
  meaning: Meaning,
): { readonly means: Meaning; readonly words: ReadonlyArray<string> } => {
  const given = HEADERS.map(header).find((value) => value !== undefined)
  const status = given?.trim().toLowerCase() ?? ''
  const description = header('x-wns-error-description')?.trim() ?? ''
  const isOpen = meaning === 'delivered' || meaning === 'busy'
  const isKnown = Object.hasOwn(MEANINGS, status)
  return {
    means: (isOpen && isKnown ? MEANINGS[status] : undefined) ?? meaning,
    words: [
      ...(isKnown && status !== 'received' ? [status] : []),
      ...(DESCRIPTION.test(description) ? [description] : []),
    ],
  }
}
