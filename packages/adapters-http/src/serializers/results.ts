import type { PublishedMonth, Results, SentCount } from '@almoner/domain/operations'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, under } from './codecs.ts'

const CountsJson = t.strict({ en: t.Int, fr: t.Int })

const PUBLISHED = { month: t.string, library: CountsJson, feed: CountsJson }

/** The Live entries of some months by language. `month` is its first day. */
export const PublishedJson = under('published', { months: t.array(t.strict(PUBLISHED)) })

const monthOf = ({ first, library, feed }: PublishedMonth) => ({
  month: first,
  library: { en: int(library.en), fr: int(library.fr) },
  feed: { en: int(feed.en), fr: int(feed.fr) },
})

/** Writes what was published in some months. */
export const encodePublished = (months: ReadonlyArray<PublishedMonth>): t.OutputOf<typeof PublishedJson> => ({
  published: { months: months.map(monthOf) },
})

const SENT_COUNTS = {
  ...{ notifications: t.Int, recipients: t.Int },
  ...{ delivered: t.Int, failed: t.Int, dead: t.Int, skipped: t.Int },
}

const SentJson = t.strict(SENT_COUNTS, 'Sent')

/** What was published and sent by month, and whom the service reaches now. The topic `""` is everything (F6). */
export const ResultsJson = under('results', {
  months: t.array(t.strict({ ...PUBLISHED, sent: t.strict({ en: SentJson, fr: SentJson }) })),
  devices: t.array(t.strict({ kind: t.string, count: t.Int })),
  people: t.array(t.strict({ lang: LANG, subscribed: t.boolean, count: t.Int })),
  topics: t.array(t.strict({ labelId: t.string, lang: LANG, count: t.Int })),
})

const encodeSent = (sent: SentCount): t.OutputOf<typeof SentJson> => ({
  notifications: int(sent.notifications),
  recipients: int(sent.recipients),
  delivered: int(sent.delivered),
  failed: int(sent.failed),
  dead: int(sent.dead),
  skipped: int(sent.skipped),
})

/** Writes results. */
export const encodeResults = ({
  months,
  devices,
  people,
  topics,
}: Results): t.OutputOf<typeof ResultsJson> => ({
  results: {
    months: months.map((month) => ({
      ...monthOf(month),
      sent: { en: encodeSent(month.sent.en), fr: encodeSent(month.sent.fr) },
    })),
    devices: devices.map(({ kind, count }) => ({ kind, count: int(count) })),
    people: people.map(({ lang, subscribed, count }) => ({ lang, subscribed, count: int(count) })),
    topics: topics.map(({ labelId, lang, count }) => ({
      labelId: O.getOrElse(() => '')(labelId as O.Option<string>),
      lang,
      count: int(count),
    })),
  },
})
