import type { PostResponse } from '../connections.ts'

/** What an answer means; `busy`: the service asks us to wait; `sender`: it refuses who sends. */
export type Meaning = 'delivered' | 'dead' | 'retry' | 'busy' | 'refused' | 'sender'

/** One row of the table: the first whose statuses and words fit an answer holds. */
interface Row {
  /** From, and to. */
  readonly status: readonly [number, number]
  /** What the body must say too. */
  readonly says?: RegExp
  readonly means: Meaning
  readonly source: string
}

const RFC_8030 = 'https://www.rfc-editor.org/rfc/rfc8030'
const RFC_8292 = 'https://www.rfc-editor.org/rfc/rfc8292'
const MOZILLA = 'https://mozilla-services.github.io/autopush-rs/errors.html'
const APPLE =
  'https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers'
const WINDOWS =
  'https://learn.microsoft.com/windows/apps/windows-app-sdk/notifications/push-notifications/troubleshooting'
/** Google does not document its responses for Web Push; these were reported. */
const GOOGLE_KEYS = 'https://github.com/web-push-libs/webpush-java/issues/206'
const GOOGLE_UNAUTHORIZED = 'https://github.com/pimeys/rust-web-push/issues/2'

const only = (status: number): readonly [number, number] => [status, status]

/**
 * Returns the result of a push, by push service (G5).
 *
 * Some services reject a subscription for other keys like a wrong sender. Any caller can attach one, so the text of the response distinguishes
 * it, and only that device fails. It does not count as dead, because after a change of our keys all would.
 */
export const OUTCOMES: ReadonlyArray<Row> = [
  // 201 by the RFC; Windows answers 200, and 202 says that a receipt will follow.
  { status: [200, 299], means: 'delivered', source: `${RFC_8030}#section-5` },
  // A service may send a client elsewhere for a while, to share load; where to is not for an answer to say.
  { status: [302, 303], means: 'retry', source: `${RFC_8030}#section-7.1` },
  { status: only(307), means: 'retry', source: `${RFC_8030}#section-7.1` },
  // Mozilla: "stop using the old URL". The browser's new subscription comes by being attached.
  { status: [300, 399], means: 'refused', source: MOZILLA },
  { status: [400, 403], says: /VapidPkHashMismatch/, means: 'refused', source: APPLE },
  { status: only(401), says: /public key mismatch/i, means: 'refused', source: `${MOZILLA} (errno 109)` },
  { status: only(403), says: /do(?:es)? not correspond/i, means: 'refused', source: GOOGLE_KEYS },
  { status: only(400), says: /UnauthorizedRegistration/, means: 'refused', source: GOOGLE_UNAUTHORIZED },
  { status: only(401), means: 'sender', source: `${RFC_8292}#section-4.2, ${MOZILLA} (errno 109)` },
  // Apple: BadJwtToken, a wrong key, subject, origin or expiry.
  { status: only(403), means: 'sender', source: `${RFC_8292}#section-4.2, ${APPLE}` },
  { status: only(404), means: 'dead', source: `${RFC_8030}#section-7.3, ${MOZILLA} (errno 102), ${WINDOWS}` },
  {
    status: only(410),
    means: 'dead',
    source: `${RFC_8030}#section-7.3, ${MOZILLA} (errno 103, 105, 106), ${WINDOWS}`,
  },
  // Too many requests: Windows uses 406 instead of 429.
  { status: only(406), means: 'busy', source: WINDOWS },
  { status: only(408), means: 'retry', source: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9' },
  { status: only(413), means: 'refused', source: `${RFC_8030}#section-7.2, ${MOZILLA} (errno 104)` },
  { status: only(425), means: 'retry', source: 'https://www.rfc-editor.org/rfc/rfc8470#section-5.2' },
  { status: only(429), means: 'busy', source: `${RFC_8030}#section-8.4, ${MOZILLA} (errno 201)` },
  // Mozilla: errno 101, 108, 110 to 113; all of them would be the same again.
  { status: [400, 499], means: 'refused', source: `${MOZILLA}, ${WINDOWS}` },
  {
    status: only(503),
    means: 'busy',
    source: `${MOZILLA} (errno 201), https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4`,
  },
  { status: [500, 599], means: 'retry', source: `${MOZILLA} (errno 201, 202, 900 to 903, 999), ${WINDOWS}` },
]

/** What an answer means. One that no row knows says nothing, and another may say more. Its text is decoded where a row asks for it. */
export const meaningOf = (answer: Pick<PostResponse, 'status' | 'body'>): Meaning =>
  OUTCOMES.find(
    ({ status: [from, to], says }) =>
      answer.status >= from && answer.status <= to && (says === undefined || says.test(answer.body)),
  )?.means ?? 'retry'

/** What Apple may say is wrong (the table of {@link APPLE}'s page). */
const REASONS = [
  'BadAuthorizationHeader',
  'BadJwtToken',
  'BadTtl',
  'BadUrgency',
  'BadWebPushRequest',
  'BadWebPushTopic',
  'ExpiredJwtToken',
  'InternalServerError',
  'PayloadTooLarge',
  'ServiceUnavailable',
  'TooManyRequests',
  'Unregistered',
  'VapidPkHashMismatch',
]
const REASON = new RegExp(`"reason"\\s*:\\s*"(${REASONS.join('|')})"`)
const ERRNO = /"errno"\s*:\s*(\d{1,4})\b/

/** The short word for operators: the status, and Apple's reason or Mozilla's number where there is one that is known. Nothing else of a body. */
export const wordOf = (status: number, body: string): string => {
  const reason = REASON.exec(body)?.[1]
  const errno = ERRNO.exec(body)?.[1]
  return [`HTTP ${status}`, reason, errno && `errno ${errno}`].filter(Boolean).join(' ')
}

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
  answer: Pick<PostResponse, 'header'>,
  meaning: Meaning,
): { readonly means: Meaning; readonly words: ReadonlyArray<string> } => {
  const given = HEADERS.map((name) => answer.header(name)).find((value) => value !== undefined)
  const status = given?.trim().toLowerCase() ?? ''
  const description = answer.header('x-wns-error-description')?.trim() ?? ''
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
