import { useEffect, useState } from 'react'
import { makePasskey, supportsPasskeys } from '../sign-in/credentials.ts'
import { consoleApi, sessionApi } from './api.ts'

/** Names of browsers, by the part of the user agent that only they have; earlier ones win. */
const BROWSERS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (list: typeof BROWSERS, agent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(agent))?.[1]

/** Returns the browser and system that a user agent names, as "Firefox · Windows"; the first words of an unknown one. */
export const browserName = (agent: string): string => {
  const names = [nameIn(BROWSERS, agent), nameIn(SYSTEMS, agent)].filter((name) => name !== undefined)
  return names.length > 0 ? names.join(' · ') : agent.slice(0, 40)
}

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
