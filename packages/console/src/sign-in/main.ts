// The script of the sign-in page. It reads the token from the fragment of the link, which no log and no referrer contains.

import { askForPasskey, supportsPasskeys } from './passkey.ts'
import { tokenOf } from './token.ts'

type State = 'busy' | 'refused' | 'noPasskey' | 'cancelled' | 'tooMany' | 'failed'

const HOME = '/console'

/** Shows one of the messages, or none. */
const show = (state?: State): void => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-state]'))
    element.hidden = element.dataset['state'] !== state
}

/** Returns the page to open afterwards: a path of the console, never another address. */
const destination = (): string => {
  const to = new URL(new URLSearchParams(location.search).get('to') ?? HOME, location.origin)
  const isOurs = to.origin === location.origin && /^\/console(?:\/|$)/.test(to.pathname)
  return isOurs ? `${to.pathname}${to.search}` : HOME
}

const stateOf = (status: number): State => {
  if (status === 429) return 'tooMany'
  return status >= 500 ? 'failed' : 'refused'
}

const post = (way: string, body: object = {}): Promise<Response> =>
  fetch(`/console/api/sign-in/${way}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Signs in, and opens the page that the person wanted. `refused` is said where the server refuses. */
const signIn = async (refused: State, ask: () => Promise<Response>): Promise<void> => {
  show('busy')
  try {
    const response = await ask()
    const state = stateOf(response.status)
    if (response.ok) location.replace(destination())
    else show(state === 'refused' ? refused : state)
  } catch (error) {
    // The person has closed the browser's dialog, or has no passkey here.
    show(error instanceof DOMException ? 'cancelled' : 'failed')
  }
}

const enter = (token: string): Promise<void> => signIn('refused', () => post('link', { token }))

const enterByPasskey = (): Promise<void> =>
  signIn('noPasskey', async () => {
    const started = await post('passkey/options')
    if (!started.ok) return started
    const { options } = (await started.json()) as { readonly options: string }
    return post('passkey', { response: await askForPasskey(options) })
  })

/** Offers passkeys where the server and the browser have them. */
const offerPasskeys = async (): Promise<void> => {
  if (!supportsPasskeys()) return
  const response = await fetch('/console/api/sign-in/methods')
  const { methods } = (await response.json()) as { readonly methods: ReadonlyArray<string> }
  for (const element of document.querySelectorAll<HTMLElement>('[data-method]'))
    element.hidden = !methods.includes(element.dataset['method'] ?? '')
}

const language = navigator.language.startsWith('fr') ? 'fr' : 'en'
document.documentElement.lang = language
for (const section of document.querySelectorAll<HTMLElement>('section')) {
  if (section.lang !== language) section.remove()
}
document.addEventListener('submit', (event) => {
  event.preventDefault()
  const link = new FormData(event.target as HTMLFormElement).get('link')
  void enter(tokenOf(String(link)))
})

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-method=passkey]')) void enterByPasskey()
})
void offerPasskeys().catch(() => {})

const token = tokenOf(location.hash)
if (location.hash !== '') {
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  void enter(token)
}
