import type { Test } from 'tap'
import { type FixtureOptions, startFixture, type Who } from '../../../adapters-http/test/support/fixture.ts'
import { makeClient } from '../../src/client.ts'
import type { Credentials } from '../../src/index.ts'
import type { Send } from '../../src/tokens.ts'

/** A service on a real socket with a clock that tests set, its clients, and their requests. */
export const startService = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', ...options })
  t.teardown(fixture.stop)
  const asked: Array<string> = []
  const queries: Array<string> = []
  const tokens: Array<string> = []
  const waits: Array<number> = []
  const time = {
    now: () => fixture.clock.now(),
    wait: async (milliseconds: number) => {
      waits.push(milliseconds)
    },
  }
  const send: Send = (request) => {
    const { pathname, search } = new URL(request.url)
    asked.push(`${request.method} ${pathname}`)
    queries.push(search)
    const [, token] = request.headers.get('Authorization')?.split(' ') ?? []
    if (token !== undefined) tokens.push(token)
    return fetch(request)
  }
  const credentialsOf = (who: Who): Credentials => ({
    clientId: who,
    clientSecret: fixture.secrets[who] ?? '',
  })
  return {
    fixture,
    asked,
    queries,
    /** The tokens of the requests. */
    tokens,
    waits,
    time,
    send,
    credentialsOf,
    /** A client with the credentials of one of the kinds of callers. */
    as: (who: Who, scope?: string) => {
      const credentials = { ...credentialsOf(who), ...(scope === undefined ? {} : { scope }) }
      return makeClient({ baseUrl: `${fixture.url}/`, credentials, fetch: send }, time)
    },
    revoke: async (who: Who, token = '') => {
      const { clientId, clientSecret } = credentialsOf(who)
      const form = { token, client_id: clientId, client_secret: clientSecret }
      await fixture.call('POST', '/oauth2/revoke', { form })
    },
    /** How often a token was asked for. */
    tokensAsked: () => asked.filter((line) => line === 'POST /oauth2/get-token').length,
  }
}

export type Service = Awaited<ReturnType<typeof startService>>
