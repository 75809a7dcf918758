import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

const ITEM = JSON.stringify({
  itemTitle: 'Written meanwhile',
  itemDescription: 'x',
  link: 'https://example.org/',
  itemPublicationDate: '2030-01-01',
})

/** One request of Node's plain client, which tries nothing again; gives the status. */
const ask = async (
  url: string,
  options: { readonly agent: Agent | false; readonly headers: Record<string, string> },
  body?: string,
): Promise<number> => {
  const method = body === undefined ? 'GET' : 'POST'
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...options, method })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })
  await text(message)
  return message.statusCode ?? 0
}

interface Tally {
  readonly who: string
  requests: number
  readonly faults: Array<string>
}

/** How a request is made: on a connection that is kept or on a new one, at once after the one before or after a pause. */
interface Manner {
  readonly who: string
  readonly agent: () => Agent | false
  readonly wait: number
  readonly path: string
  readonly body?: string
}

const keeping = () => new Agent({ keepAlive: true, maxSockets: 1 })
const PAGE = '/library/?lim=20'

const MANNERS: ReadonlyArray<Manner> = [
  { who: 'reads on kept connections', agent: keeping, wait: 0, path: PAGE },
  { who: 'reads on kept connections, with pauses', agent: keeping, wait: 300, path: PAGE },
  { who: 'reads on new connections', agent: () => false, wait: 0, path: PAGE },
  { who: 'whole collections', agent: keeping, wait: 0, path: '/library/' },
  { who: 'writes on a kept connection', agent: keeping, wait: 20, path: '/library/', body: ITEM },
  { who: 'writes on new connections', agent: () => false, wait: 20, path: '/library/', body: ITEM },
]

/** What went wrong with a request; whatever is not answered with 200 is wrong. */
const faultOf = (asked: Promise<number>): Promise<string | undefined> =>
  asked.then((status) => (status === 200 ? undefined : `status ${status}`), String)

/**
 * Readers and writers who go on until they are told to end: two of each manner. Gives how many requests each manner made and what
 * went wrong with them.
 */
export const askMeanwhile = (url: string, authorization: string) => {
  const headers = { authorization, 'content-type': 'application/json' }
  let asking = true
  const go = async ({ who, agent: make, wait, path, body }: Manner): Promise<Tally> => {
    const tally: Tally = { who, requests: 0, faults: [] }
    const agent = make()
    while (asking) {
      tally.requests += 1
      const fault = await faultOf(ask(`${url}${path}`, { agent, headers }, body))
      if (fault !== undefined) tally.faults.push(fault)
      if (wait > 0) await pause(Math.random() * wait)
    }
    if (agent !== false) agent.destroy()
    return tally
  }
  const all = Promise.all([...MANNERS, ...MANNERS].map(go))
  return async (): Promise<ReadonlyArray<Tally>> => {
    asking = false
    return all
  }
}

/** The tallies as a table, a line for each manner. */
export const tableOf = (tallies: ReadonlyArray<Tally>): string => {
  const rows = MANNERS.map(({ who }) => {
    const those = tallies.filter((tally) => tally.who === who)
    const faults = those.flatMap((tally) => tally.faults)
    const examples = [...new Set(faults)].slice(0, 3).join('; ')
    return `| ${who} | ${those.reduce((sum, { requests }) => sum + requests, 0)} | ${faults.length === 0 ? 'none' : `${faults.length}: ${examples}`} |`
  })
  return ['| who | requests | failed |', '| --- | --- | --- |', ...rows, ''].join('\n')
}
