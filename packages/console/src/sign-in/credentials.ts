import { at } from '../paths.ts'

let channel: BroadcastChannel | undefined

const open = (): BroadcastChannel => {
  channel ??= new BroadcastChannel(`almoner-sign-in${at('')}`)
  return channel
}

/** Reports a sign-in to the other tabs of the console. It does not name the person: they ask the server. */
export const announceSignIn = (): void => open().postMessage('')

/** Calls back after each sign-in in another tab. Returns the function that ends it. */
export const onSignInElsewhere = (listener: () => void): (() => void) => {
  const from = open()
  from.addEventListener('message', listener)
  return () => from.removeEventListener('message', listener)
}

/** Whether this browser makes passkeys from JSON, as all do since 2025. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Asks for a passkey with the server's options. Returns the response for the server. Rejects if the person cancels. */
export const askForPasskey = async (options: string): Promise<string> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options))
  return JSON.stringify(await navigator.credentials.get({ publicKey }))
}

/** Makes a passkey with the server's options. Returns the response for the server. Rejects if the person cancels. */
export const makePasskey = async (options: string): Promise<string> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options))
  return JSON.stringify(await navigator.credentials.create({ publicKey }))
}

/** Returns the token of a sign-in link, or the text itself if it has no fragment. */
export const tokenOf = (link: string): string => link.slice(link.indexOf('#') + 1).trim()
