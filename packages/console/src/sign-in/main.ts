// The script of the sign-in page. It reads the token from the fragment of the link, which no log and no referrer contains.

import { tokenOf } from './token.ts'

type State = 'busy' | 'refused' | 'tooMany' | 'failed'

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

const enter = async (token: string): Promise<void> => {
  show('busy')
  try {
    const response = await fetch('/console/api/sign-in/link', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    if (response.ok) location.replace(destination())
    else show(stateOf(response.status))
  } catch {
    show('failed')
  }
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

const token = tokenOf(location.hash)
if (location.hash !== '') {
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  void enter(token)
}
