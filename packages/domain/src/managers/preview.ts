import * as E from 'fp-ts/lib/Either.js'
import type { TokenDigest } from '../access/caller.ts'
import type { ContentType } from '../history/model.ts'
import { isParsable, parseUrl, WEB_URL_MAX } from '../values/addresses.ts'
import type { ItemId } from '../values/ids.ts'
import { type Branded, refined } from '../values/refined.ts'
import type { Instant } from '../values/time.ts'

/** What every preview token begins with. No access token does: those are base64url, which has no full stop. */
export const PREVIEW_BEGINNING = 'preview.'

/** Returns whether a text looks like a preview token, so that others cost no lookup (A11). */
export const isPreviewToken = (text: string): boolean => text.startsWith(PREVIEW_BEGINNING)

/** The texts of an item that a manager may look at in the app: as it is saved, the manager's own working copy, or the proposal for it (A11). */
export const PREVIEWED_TEXTS = ['item', 'copy', 'proposal'] as const
/** One of {@link PREVIEWED_TEXTS}. */
export type PreviewedText = (typeof PREVIEWED_TEXTS)[number]

/** A preview token as it is stored: its digest, its session, and the one text that it shows (A11). */
export interface PreviewToken {
  readonly digest: TokenDigest
  readonly session: TokenDigest
  readonly contentType: ContentType
  readonly itemId: ItemId
  readonly text: PreviewedText
  readonly expiresAt: Instant
  /** Milliseconds from its issue to its end. */
  readonly life: number
}

/** The template of the app's address, by which managers look at an item in it. */
export type PreviewUrl = Branded<string, 'PreviewUrl'>

const PLACES = ['kind', 'id', 'token'] as const

type Places = Readonly<Record<(typeof PLACES)[number], string>>

/** Returns the address of a preview: the template with its places filled. */
export const previewAddress = (template: PreviewUrl, places: Places): string =>
  PLACES.reduce((text, name) => text.replaceAll(`{${name}}`, () => places[name]), template as string)

/** Schemes that browsers and systems open themselves: no app's. */
const TAKEN =
  /^(?:http|wss?|ftp|file|filesystem|blob|data|javascript|vbscript|about|mailto|tel|sms|view-source|chrome):/i

const EXAMPLE: Places = {
  kind: 'library',
  id: '01a20fe0-4e96-75a3-95a0-1dce6da740ae',
  token: `${PREVIEW_BEGINNING}x`,
}

const faultOfTemplate = (text: string): string | undefined => {
  if (text.length > WEB_URL_MAX || !/^[a-z][a-z\d+.-]*:[\x21-\x7e]+$/i.test(text) || TAKEN.test(text))
    return "must be an https URL, or one of an app's own scheme"
  const found = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const isWhole = PLACES.every((name) => found.includes(name)) && found.length === PLACES.length
  const rest = text.replaceAll(/\{[^{}]*\}/g, '')
  if (!isWhole || /[{}]/.test(rest))
    return 'must be a URL with {kind}, {id} and {token}, each once, and no other braces'
  if (!isParsable(previewAddress(text as PreviewUrl, EXAMPLE))) return 'must be a URL'
  if (!/^https:/i.test(text)) return undefined
  const { username, password } = parseUrl(previewAddress(text as PreviewUrl, EXAMPLE))
  if (username !== '' || password !== '') return 'must be without user name and password'
  if (!/^https:\/\/[^/?#{}\\]+[/?#]/i.test(text))
    return 'must be a URL with a whole host before {kind}, {id} and {token}'
  return text.includes('#') && text.indexOf('#') < text.indexOf('{token}')
    ? undefined
    : 'must be a URL with {token} after #: what stands before it reaches logs and other sites'
}

/**
 * Reads the template of previews: an https URL with `{token}` in its fragment, which browsers send to no server, or a URL of an app's own scheme
 * (A11).
 */
export const PreviewUrl = refined<PreviewUrl>(
  'PreviewUrl',
  (text) => {
    const fault = faultOfTemplate(text)
    return fault === undefined ? E.right(text as PreviewUrl) : E.left(fault)
  },
  { type: 'string', description: 'Address of a page of the app, with {kind}, {id} and {token}.' },
)
