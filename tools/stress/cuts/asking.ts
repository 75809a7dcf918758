/** Milliseconds after which a request counts as hanging: no wait for the database that the service allows itself is as long. */
const HANGS = 15_000

/** An answer that is 200 or 503; nothing else may come. */
export interface Answer {
  readonly isDone: boolean
  readonly body: unknown
}

/** How often something was asked, and how it was answered. */
interface Tally {
  done: number
  unavailable: number
  longest: number
}

/** Asks nodes, and tells `found` of each answer that may not be: none in time, or neither 200 nor 503 that says when to come back or that the outcome is unknown. */
export const makeAsking = (headers: Readonly<Record<string, string>>, found: (finding: string) => void) => {
  const tallies = new Map<string, Tally>()

  const asked = async (what: string, url: string, body?: object): Promise<Answer> => {
    const answer = await fetch(url, {
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANGS),
    })
    const given = (await answer.json()) as { readonly code?: unknown }
    const isDone = answer.status === 200
    const isUnknown = given.code === 'outcome_unknown'
    if (!isDone && (answer.status !== 503 || (answer.headers.get('retry-after') === null && !isUnknown)))
      found(`${what}: ${answer.status} ${JSON.stringify(given)}`)
    return { isDone, body: given }
  }

  return {
    /** Asks; `what` names the kind of request. A body makes it a POST. */
    ask: async (what: string, url: string, body?: object): Promise<Answer> => {
      const tally = tallies.get(what) ?? { done: 0, unavailable: 0, longest: 0 }
      tallies.set(what, tally)
      const started = performance.now()
      try {
        const answer = await asked(what, url, body)
        if (answer.isDone) tally.done += 1
        else tally.unavailable += 1
        return answer
      } catch (cause) {
        found(`${what}: ${cause}`)
        return { isDone: false, body: undefined }
      } finally {
        tally.longest = Math.max(tally.longest, Math.round(performance.now() - started))
      }
    },
    /** What was asked, by kind. */
    tallies: () => Object.fromEntries(tallies),
  }
}

export type Asking = ReturnType<typeof makeAsking>
