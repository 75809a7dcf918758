import { consoleApi } from '../../app/api.ts'
import { makePasskey, supportsPasskeys } from '../../sign-in/passkey.ts'

/** Lists one's own passkeys; undefined where the server or the browser has none. */
export const listPasskeys = async (signal: AbortSignal) => {
  const { data } = await consoleApi.get('/sign-in/methods', { signal })
  const isPossible = supportsPasskeys() && data.methods.includes('passkey')
  if (!isPossible) return { data: undefined, etag: undefined, headers: new Headers() }
  const answer = await consoleApi.get('/passkeys', { signal })
  return { ...answer, data: answer.data.passkeys.map(({ passkey }) => passkey) }
}

export type Passkey = NonNullable<Awaited<ReturnType<typeof listPasskeys>>['data']>[number]

/** Makes a passkey in the browser, and stores it. Rejects with a `DOMException` if the person cancels. */
export const addPasskey = async (name: string): Promise<void> => {
  const { options } = (await consoleApi.put('/passkeys/options', { body: {} })).data
  await consoleApi.post('/passkeys', { body: { name, response: await makePasskey(options) } })
}

/** Changes the name of a passkey. */
export const renamePasskey = (id: string, name: string) =>
  consoleApi.put('/passkeys/{id}', { path: { id }, body: { name } })

/** Deletes a passkey. */
export const removePasskey = (id: string) => consoleApi.delete('/passkeys/{id}', { path: { id } })
