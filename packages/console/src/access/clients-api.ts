import { consoleApi } from '../session/api.ts'

/** Lists the clients of the API. */
export const listClients = (signal: AbortSignal) => consoleApi.get('/clients', { signal })

/** A client of the API. */
export type Client = Awaited<ReturnType<typeof listClients>>['data']['clients'][number]['client']

/** A client that is to be added. Scopes and roles are separated by spaces. */
export interface NewClient {
  readonly clientId: string
  readonly name: string
  readonly scopes: string
  readonly roles: string
  readonly email: string
  /** How it obtains tokens for people (A10). */
  readonly people: Client['people']
  readonly audience: string
}

/** Adds a client. Returns its secret, which is shown once; a public client has none. */
export const addClient = async (body: NewClient) =>
  (await consoleApi.post('/clients', { body })).data.credentials

/** A new secret and its client. */
export type Credentials = Awaited<ReturnType<typeof addClient>>

/** Gives a client a new secret. `keepOld` is for how many seconds the earlier one still works. */
export const rotateClient = async (clientId: string, keepOld: number): Promise<Credentials> => {
  const request = { path: { clientId }, body: { keepOld } }
  return (await consoleApi.post('/clients/{clientId}/secret', request)).data.credentials
}

/** Disables a client, or enables it again. */
export const disableClient = (clientId: string, disabled: boolean) =>
  consoleApi.put('/clients/{clientId}/disabled', { path: { clientId }, body: { disabled: String(disabled) } })
