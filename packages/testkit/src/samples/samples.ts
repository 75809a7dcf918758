import type { Label, LiveFeedItem, LiveLibraryItem, ShownContent } from '@almoner/domain/content'
import { linked } from '@almoner/domain/media'
import type { User } from '@almoner/domain/people'
import type { Introduction, OrganizationId, PortfolioText } from '@almoner/domain/portfolio'
import {
  type LabelId,
  type LabelName,
  type Language,
  type Parameters,
  parseInput,
  type WebUrl,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { sampleEmail, sampleFeedItem, sampleLibraryItem } from '../contracts/index.ts'

const imageUrl = (n: number, which: string) =>
  ({ _tag: 'Some', value: linked(`https://example.org/${n}/${which}.png` as WebUrl) }) as const

const shownLink = (n: number): ShownContent => ({
  kind: 'link',
  link: { _tag: 'Some', value: `https://example.org/${n}` as WebUrl },
  vlink: O.none,
  image: O.none,
})

/** The n-th publication, Live and with both images. */
export const sampleLiveLibraryItem = (n: number, over: Partial<LiveLibraryItem> = {}): LiveLibraryItem => ({
  ...sampleLibraryItem(n),
  status: 'Live',
  images: { cover: imageUrl(n, 'cover'), notification: imageUrl(n, 'notification') },
  ...over,
})

/** The n-th post, Live and with a link. */
export const sampleLiveFeedItem = (n: number, over: Partial<LiveFeedItem> = {}): LiveFeedItem => ({
  ...sampleFeedItem(n),
  status: 'Live',
  content: shownLink(n),
  ...over,
})

/** The n-th user, who reads English and is subscribed. */
export const sampleUser = (n: number, over: Partial<User> = {}): User => ({
  email: sampleEmail(n),
  lang: 'en',
  subscribed: true,
  topics: [],
  ...over,
})

/** A label with a name in each language. */
export const sampleLabel = (id: string, over: Partial<Label> = {}): Label => ({
  labelId: id as LabelId,
  en: `${id} in English` as LabelName,
  fr: `${id} en français` as LabelName,
  ...over,
})

/** The introduction of an organization at a place in the order. */
export const sampleIntroduction = (organization: string, lang: Language, rank = 0): Introduction => ({
  organization: organization as OrganizationId,
  lang,
  rank,
  text: `Introduction ${rank} of ${organization}` as PortfolioText,
})

/** Returns the input of a use case, which must be valid. See `parseInput`. */
export const parsed = <R extends t.Props, O extends t.Props>(
  codec: Parameters<R, O>,
  input: { readonly [Name in keyof (R & O)]?: unknown },
): t.TypeOf<Parameters<R, O>> => {
  const result = parseInput(codec, input)
  if (result.ok) return result.value
  const errors = result.error.errors.map(({ field, message }) => `${field} ${message}`)
  throw new Error(`${codec.name}: ${errors.join(', ')}`)
}
