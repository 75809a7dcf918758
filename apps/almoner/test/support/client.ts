import { call } from './asking.ts'
import { inFolder } from './in-process.ts'

/** What `client add` prints. */
export interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

/** Registers a client in the default database of a folder. */
export const addClient = async (
  folder: string,
  id: string,
  scope: string,
  ...roles: ReadonlyArray<string>
): Promise<Credentials> => {
  const args = ['client', 'add', '--id', id, '--scope', scope, ...roles.flatMap((role) => ['--role', role])]
  return JSON.parse((await inFolder(folder, args)).out)
}

/** Asks for a token: the answer as it came. */
export const askToken = (url: string, { client_id, client_secret }: Credentials): Promise<Response> =>
  call(`${url}/oauth2/get-token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  })

/** A token's answer, read. */
export const tokenOf = async (url: string, credentials: Credentials) => {
  const answer = await askToken(url, credentials)
  return (await answer.json()) as { readonly access_token: string; readonly expires_in: number }
}

/** GET with a token, in the header. */
export const get = (url: string, token: string): Promise<Response> =>
  call(url, { headers: { authorization: `Bearer ${token}` } })
