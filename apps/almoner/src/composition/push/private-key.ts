import { createPrivateKey, type KeyObject } from 'node:crypto'

/** The private key in a text, PEM; undefined when there is none, or one that needs a password. */
export const privateKeyIn = (text: string): KeyObject | undefined => {
  try {
    return createPrivateKey(text)
  } catch {
    // What it says may hold the text.
    return undefined
  }
}
