// Pairs of notifications that move and are deleted together (G14), for the campaigns that end servers and that let editors race.

import { check } from './campaign.ts'
import { ask, type Headers } from './server.ts'

interface Shown {
  readonly id: string
  readonly date: string
  readonly counterpart: { readonly notificationId: string; readonly date: string } | null
}

/** An acknowledged pair: the date of both, the one of a move whose answer never came, and whether a deletion began or ended. */
interface Pair {
  readonly en: string
  readonly fr: string
  date: number
  maybeDate?: number
  deletion: 'none' | 'sent' | 'done'
}

/** Seconds of a moment that never comes within a campaign. */
const FAR = 4_000_000_000

/** Writes a moment as notifications do. */
const dateOf = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** Creates a pair of notifications with one date, and returns the ids of both. */
const createPair = async (url: string, headers: Headers, title: string, date: number) => {
  const post = async (body: object): Promise<string> => {
    const sent = { title, date, resource_type: 'Library', ...body }
    const { status, body: answer } = await ask<{ notification: Shown }>(`${url}/notification`, headers, sent)
    check(status === 200, `POST /notification: status ${status}`)
    return answer.notification.id
  }
  const en = await post({ lang: 'en' })
  return { en, fr: await post({ lang: 'fr', counterpartId: en }) }
}

/** Gives both of a pair a date, by one of its sides. */
const move = (url: string, headers: Headers, id: string, date: number) =>
  ask(`${url}/notification/${id}`, headers, { date, both: true })

/** Reads all notifications with their counterparts. */
const readAll = async (url: string, headers: Headers): Promise<ReadonlyMap<string, Shown>> => {
  const path = `${url}/notification?include=counterpart`
  const { body } = await ask<{ notifications: ReadonlyArray<{ notification: Shown }> }>(path, headers)
  return new Map(body.notifications.map(({ notification }) => [notification.id, notification]))
}

/** Pairs that a writer makes until its server is gone, and what must be there afterwards. */
export const makePairs = () => {
  const pairs: Array<Pair> = []
  const counts = { pairs: 0, moves: 0, deletions: 0 }
  const verifyPair = ({ en, fr, date, maybeDate, deletion }: Pair, all: ReadonlyMap<string, Shown>): void => {
    const [one, other] = [all.get(en), all.get(fr)]
    check((one === undefined) === (other === undefined), `${en}: one of two was deleted`)
    check(one !== undefined || deletion !== 'none', `${en} was acknowledged and is gone`)
    check(one === undefined || deletion !== 'done', `${en} was deleted and is there`)
    if (one === undefined || other === undefined) return
    check(one.date === other.date, `${en}: one of two moved`)
    const dates = [date, ...(maybeDate === undefined ? [] : [maybeDate])].map(dateOf)
    check(dates.includes(one.date), `${en} lost a move`)
    const isTied = one.counterpart?.notificationId === fr && other.counterpart?.notificationId === en
    check(isTied, `${en} is not tied from both sides`)
  }
  return {
    counts,
    /** Creates, moves and deletes pairs until the server is gone, which rejects. */
    write: async (url: string, headers: Headers, writer: string): Promise<void> => {
      for (let n = 0; ; n += 1) {
        const pair: Pair = {
          ...(await createPair(url, headers, `${writer} ${n}`, FAR)),
          date: FAR,
          deletion: 'none',
        }
        pairs.push(pair)
        counts.pairs += 1
        for (const date of [FAR + n + 1, FAR + n + 2]) {
          pair.maybeDate = date
          const { status } = await move(url, headers, n % 2 === 0 ? pair.en : pair.fr, date)
          check(status === 200, `moving two: status ${status}`)
          pair.date = date
          counts.moves += 1
        }
        if (n % 2 === 0) continue
        pair.deletion = 'sent'
        const deleted = await fetch(`${url}/notification/${pair.fr}?both=true`, { method: 'DELETE', headers })
        check(deleted.status === 200, `deleting two: status ${deleted.status}`)
        pair.deletion = 'done'
        counts.deletions += 1
      }
    },
    /** Checks that both of each pair are as acknowledged, or as an unanswered write has made both. */
    verify: async (url: string, headers: Headers): Promise<void> => {
      const all = await readAll(url, headers)
      for (const pair of pairs) verifyPair(pair, all)
      // The next rounds expect the current state.
      for (const [at, pair] of [...pairs.entries()].toReversed())
        if (all.has(pair.en)) {
          pairs[at] = { ...pair, date: Date.parse(`${all.get(pair.en)?.date.replace(' ', 'T')}Z`) / 1000 }
        } else pairs.splice(at, 1)
    },
  }
}

/** Moves one announcement on several nodes at once, from both sides. In the end both have one of the dates sent, and are deleted once. Returns the moves. */
export const raceAnnouncement = async (
  nodes: ReadonlyArray<string>,
  headers: Headers,
  n: number,
): Promise<number> => {
  const [first = ''] = nodes
  const { en, fr } = await createPair(first, headers, `race ${n}`, FAR)
  const dates = Array.from({ length: 20 }, (_, at) => FAR + 1 + at)
  const statuses = await Promise.all(
    dates.map(async (date, at) => {
      const node = nodes[at % nodes.length] ?? first
      return (await move(node, headers, at % 3 === 0 ? en : fr, date)).status
    }),
  )
  check(
    statuses.every((status) => status === 200),
    `race ${n}: statuses ${statuses}`,
  )
  const all = await readAll(first, headers)
  const [one, other] = [all.get(en), all.get(fr)]
  check(one !== undefined && one.date === other?.date, `race ${n}: ${one?.date} and ${other?.date}`)
  check(dates.map(dateOf).includes(one?.date ?? ''), `race ${n}: ${one?.date} was not sent`)
  const gone = await Promise.all(
    [en, fr].map((id, at) =>
      fetch(`${nodes[at % nodes.length] ?? first}/notification/${id}?both=true`, {
        method: 'DELETE',
        headers,
      }),
    ),
  )
  const found = gone.map(({ status }) => status).sort()
  check(found.join() === '200,404', `race ${n}: two deletions of both got ${found}`)
  return statuses.length
}
