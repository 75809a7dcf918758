import type { ClientId, Email, Scope } from '@almoner/domain'
import { makeAddClient, type Role } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'
import { done, type Fixture, type Send, type Who } from './fixture.ts'
import { type RawAnswer, send as sendRaw } from './raw.ts'

/** The user that the client `donor` is bound to. */
export const AMINA = 'amina@example.org'

/** Another user, who has no client. */
export const BRUNO = 'bruno@example.org'

/** The address of a user's tokens, or of one of them. */
export const tokenPath = (email: string, token?: string): string =>
  `/user/${encodeURIComponent(email)}/notification/token${token === undefined ? '' : `/${encodeURIComponent(token)}`}`

export const preferencePath = (email: string): string =>
  `/user/${encodeURIComponent(email)}/notification/preference`

/** The address of a person's inbox (F7). */
export const inboxPath = (email = AMINA): string => `/user/${encodeURIComponent(email)}/notification/inbox`

/** The address that marks a notification as seen (F7). */
export const seenPath = (id: string, email = AMINA): string =>
  `${inboxPath(email)}/${encodeURIComponent(id)}/seen`

/** Attaches a device token as the user-manager, unless told otherwise. */
export const attach = (fixture: Fixture, email: string, token: unknown, send: Send = {}): Promise<Response> =>
  fixture.call('POST', tokenPath(email), { as: 'userManager', json: { device_token: token }, ...send })

/** Detaches a device token. The path goes over the wire as it is, where fetch would put it right. */
export const detach = async (
  fixture: Fixture,
  email: string,
  token: string,
  as: Who = 'userManager',
): Promise<RawAnswer> =>
  sendRaw(fixture.url, 'DELETE', tokenPath(email, token), {
    Authorization: `Bearer ${await fixture.token(as)}`,
  })

/** The device tokens of a user, as the user-manager sees them unless told otherwise. */
export const tokensOf = async (
  fixture: Fixture,
  email: string,
  send: Send = {},
): Promise<ReadonlyArray<string>> => {
  const answer = await fixture.call('GET', tokenPath(email), { as: 'userManager', ...send })
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`)
  const { tokens } = (await answer.json()) as {
    tokens: ReadonlyArray<{ token: { email: string; device_token: string } }>
  }
  return tokens.map(({ token }) => token.device_token)
}

/** Returns a user's preference, or undefined for an unknown email. */
export const preferenceOf = async (fixture: Fixture, email: string): Promise<unknown> => {
  const answer = await fixture.call('GET', preferencePath(email), { as: 'userManager' })
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`)
  return ((await answer.json()) as { preference: unknown }).preference
}

/** A client of a test's own: its `headers` call as it. */
export const newClient = async (
  fixture: Fixture,
  id: string,
  shape: {
    readonly scopes: ReadonlyArray<Scope>
    readonly roles?: ReadonlyArray<Role>
    readonly email?: string
  },
): Promise<Pick<Send, 'headers'>> => {
  const { scopes, roles = [], email } = shape
  const { secret } = await done(
    makeAddClient(fixture.ports)({
      id: id as ClientId,
      name: id,
      scopes,
      roles,
      email: O.fromNullable(email as Email | undefined),
      disabled: false,
    }),
  )
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const answer = await fixture.call('POST', '/oauth2/get-token', { form })
  const { access_token } = (await answer.json()) as { access_token: string }
  return { headers: { authorization: `Bearer ${access_token}` } }
}
