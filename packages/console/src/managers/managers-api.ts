import { consoleApi } from '../session/api.ts'

/** The parameters of a new manager, as they are typed. */
export interface NewManager {
  readonly email: string
  readonly name: string
  readonly duty: 'editor' | 'operator'
  readonly lang: 'en' | 'fr'
}

/** Lists all managers. */
export const listManagers = async (signal: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/managers', { signal })
  return { ...rest, data: data.managers.map(({ manager }) => manager) }
}

export type Manager = Awaited<ReturnType<typeof listManagers>>['data'][number]

/** Adds a manager. Returns the link, whose token is shown this once. */
export const inviteManager = async ({ email, ...body }: NewManager) =>
  (await consoleApi.put('/managers/{email}', { path: { email }, body })).data.link

export type SignInLink = Awaited<ReturnType<typeof inviteManager>>

/** Makes another link for a manager. */
export const inviteAgain = async (email: string): Promise<SignInLink> =>
  (await consoleApi.put('/managers/{email}/link', { path: { email }, body: {} })).data.link

/** Changes the duty of a manager, or disables or enables one. */
export const setAccess = (
  email: string,
  body: { readonly duty?: Manager['duty']; readonly disabled?: 'true' | 'false' },
) => consoleApi.put('/managers/{email}/access', { path: { email }, body })

/** Lists the addresses of the managers to whom an account of the identity provider is linked. */
export const listLinked = async (signal: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/identities', { signal })
  return { ...rest, data: new Set(data.identities.map(({ identity }) => identity.email)) }
}

/** Unlinks the account of the identity provider from a manager. */
export const unlinkIdentity = (email: string) => consoleApi.delete('/identities/{email}', { path: { email } })

/** Ends all sessions of a manager. Returns how many there were. */
export const endSessions = async (email: string): Promise<number> =>
  (await consoleApi.delete('/managers/{email}/sessions', { path: { email } })).data.ended

/** Lists the open sessions of a manager. */
export const listSessions = async (email: string, signal: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/managers/{email}/sessions', { path: { email }, signal })
  return { ...rest, data: data.sessions.map(({ session }) => session) }
}

/** Lists the passkeys of a manager. */
export const listManagerPasskeys = async (email: string, signal: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/managers/{email}/passkeys', { path: { email }, signal })
  return { ...rest, data: data.passkeys.map(({ passkey }) => passkey) }
}

/** Removes a passkey of a manager. */
export const removeManagerPasskey = (email: string, id: string) =>
  consoleApi.delete('/managers/{email}/passkeys/{id}', { path: { email, id } })

/** Removes the password of a manager. */
export const removePassword = (email: string) =>
  consoleApi.delete('/managers/{email}/password', { path: { email } })
