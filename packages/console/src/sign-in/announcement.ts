let channel: BroadcastChannel | undefined

const open = (): BroadcastChannel => {
  channel ??= new BroadcastChannel('almoner-sign-in')
  return channel
}

/** Tells the other tabs of the console that somebody has signed in. It does not say who: they ask the server. */
export const announceSignIn = (): void => open().postMessage('')

/** Calls back whenever somebody has signed in in another tab. Returns the function that ends it. */
export const onSignInElsewhere = (listener: () => void): (() => void) => {
  const from = open()
  from.addEventListener('message', listener)
  return () => from.removeEventListener('message', listener)
}
