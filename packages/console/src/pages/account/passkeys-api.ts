import { consoleApi } from '../../session/api.ts'
import { listMethods } from '../../session/sign-in-methods.ts'

/** Lists one's own passkeys; undefined where the server or the browser has none. */
export const listPasskeys = async (signal: AbortSignal) => {
  const isPossible = (await listMethods(signal)).includes('passkey')
  if (!isPossible) return { data: undefined, etag: undefined, headers: new Headers() }
  const answer = await consoleApi.get('/passkeys', { signal })
  return { ...answer, data: answer.data.passkeys.map(({ passkey }) => passkey) }
}

export type Passkey = NonNullable<Awaited<ReturnType<typeof listPasskeys>>['data']>[number]

/** Changes the name of a passkey. */
export const renamePasskey = (id: string, name: string) =>
  consoleApi.put('/passkeys/{id}', { path: { id }, body: { name } })

/** Deletes a passkey. */
export const removePasskey = (id: string) => consoleApi.delete('/passkeys/{id}', { path: { id } })
