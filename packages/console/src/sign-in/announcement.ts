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
