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
