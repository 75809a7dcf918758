import { useEffect, useState } from 'react'
import { browserName } from '../sessions/browser-name.ts'
import { makePasskey, supportsPasskeys } from '../sign-in/passkey.ts'
import { consoleApi, sessionApi } from './api.ts'

/** Lists the ways to sign in besides a link that the server and the browser have. */
export const listMethods = async (signal?: AbortSignal): Promise<ReadonlyArray<string>> => {
  const { data } = await sessionApi.get('/sign-in/methods', { ...(signal && { signal }) })
  return data.methods.filter((method) => method !== 'passkey' || supportsPasskeys())
}

/** Asks for each way to sign in whether the signed-in person has set it up. */
const IS_OWN: Readonly<Record<string, (email: string) => Promise<boolean>>> = {
  passkey: async () => (await consoleApi.get('/passkeys')).data.passkeys.length > 0,
  password: async () => (await consoleApi.get('/password')).data.password.isSet,
  oidc: async (email) =>
    (await consoleApi.get('/identities')).data.identities.some(({ identity }) => identity.email === email),
}

/** The ways to sign in besides a link: the possible ones, and the person's. */
export interface Methods {
  readonly possible: ReadonlyArray<string>
  /** The ways that the signed-in person has set up. Undefined where it was not asked, because the session has ended. */
  readonly own?: ReadonlyArray<string>
}

const ownMethods = async (email: string): Promise<Methods> => {
  const possible = await listMethods()
  const isOwn = await Promise.all(possible.map((method) => IS_OWN[method]?.(email)))
  return { possible, own: possible.filter((_, at) => isOwn[at]) }
}

/** Returns the ways to sign in while a dialog is open. `email` is that of the signed-in person, if there is one. */
export const useMethods = (isOpen: boolean, email?: string): Methods => {
  const [methods, setMethods] = useState<Methods>({ possible: [] })
  useEffect(() => {
    if (!isOpen) return
    const asked = email === undefined ? listMethods().then((possible) => ({ possible })) : ownMethods(email)
    asked.then(setMethods, () => {})
  }, [isOpen, email])
  return methods
}

/** Makes a passkey in the browser, and stores it. Rejects with a `DOMException` if the person cancels. */
export const addPasskey = async (): Promise<void> => {
  const { options } = (await consoleApi.put('/passkeys/options', { body: {} })).data
  const response = await makePasskey(options)
  await consoleApi.post('/passkeys', { body: { name: browserName(navigator.userAgent), response } })
}
