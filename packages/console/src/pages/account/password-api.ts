import { consoleApi } from '../../session/api.ts'

/** Returns what there is to know of one's own password; undefined where the server has none. */
export const showPassword = async (signal: AbortSignal) => {
  const { data } = await consoleApi.get('/sign-in/methods', { signal })
  if (!data.methods.includes('password')) return { data: undefined, etag: undefined, headers: new Headers() }
  const answer = await consoleApi.get('/password', { signal })
  return { ...answer, data: answer.data.password }
}

/** Makes a secret for the authenticator app. */
export const startPassword = async () => (await consoleApi.put('/password/secret', { body: {} })).data

export type NewSecret = Awaited<ReturnType<typeof startPassword>>

/** Sets password and authenticator app. Returns the recovery codes, which are shown this once. */
export const setPassword = async (body: {
  readonly password: string
  readonly secret: string
  readonly code: string
}): Promise<ReadonlyArray<string>> => (await consoleApi.put('/password', { body })).data.recoveryCodes

/** Changes the password. */
export const changePassword = (password: string) => consoleApi.put('/password/text', { body: { password } })

/** Makes new recovery codes, which are shown this once. */
export const renewCodes = async (): Promise<ReadonlyArray<string>> =>
  (await consoleApi.put('/password/recovery-codes', { body: {} })).data.recoveryCodes

/** Removes the password. */
export const removePassword = () => consoleApi.delete('/password')
