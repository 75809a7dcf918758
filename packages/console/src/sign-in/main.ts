// The script of the sign-in page. It reads the token from the fragment of the link, which no log and no referrer contains.

import { at, withoutBase } from '../paths.ts'
import { announceSignIn, askForPasskey, supportsPasskeys, tokenOf } from './credentials.ts'

type State =
  | 'busy'
  | 'refused'
  | 'noPasskey'
  | 'noPassword'
  | 'noAccount'
  | 'unverified'
  | 'cancelled'
  | 'tooMany'
  | 'providerDown'
  | 'failed'

const HOME = at('/console')

/** Shows one of the messages, or none. */
const show = (state?: State): void => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-state]'))
    element.hidden = element.dataset['state'] !== state
}

/** Returns the page to open afterwards: a page of the console, never another address or another sign-in. */
const destination = (): string => {
  const to = new URL(new URLSearchParams(location.search).get('to') ?? HOME, location.origin)
  const isOurs =
    to.origin === location.origin &&
    /^\/console(?!\/(?:api|sign-in|enter)\b)(?:\/|$)/.test(withoutBase(to.pathname) ?? '')
  return isOurs ? `${to.pathname}${to.search}` : HOME
}

/** Reads why the server has refused. */
const stateOf = async (response: Response): Promise<State> => {
  if (response.status === 429) return 'tooMany'
  const { code } = (await response.json()) as { readonly code: string }
  if (response.status < 500) return code === 'email_unverified' ? 'unverified' : 'refused'
  return code === 'sign_in_unavailable' ? 'providerDown' : 'failed'
}

const post = (way: string, body: object = {}): Promise<Response> =>
  fetch(at(`/console/api/sign-in/${way}`), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Returns the page that the person wanted, now that there is a session. */
const signedIn = (): string => {
  announceSignIn()
  return destination()
}

/** Whether a sign-in runs: a second press would use a link or a code that is used up. */
let isRunning = false

/** Signs in, and opens the next page: the one that the person wanted. `refused` is said where the server refuses. */
const signIn = async (
  refused: State,
  ask: () => Promise<Response>,
  next: (response: Response) => string | Promise<string> = signedIn,
): Promise<void> => {
  if (isRunning) return
  isRunning = true
  show('busy')
  try {
    const response = await ask()
    if (response.ok) return location.replace(await next(response))
    const state = await stateOf(response)
    show(state === 'refused' ? refused : state)
  } catch (error) {
    // The person has closed the browser's dialog, or has no passkey here.
    show(error instanceof DOMException ? 'cancelled' : 'failed')
  } finally {
    isRunning = false
  }
}

/** The parts of the page: what a link says, or the other ways to sign in. */
const showStep = (step: 'link' | 'ways'): void => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-step]'))
    element.hidden = element.dataset['step'] !== step
}

/** The token of the link that the page shows. */
let shown = ''

/** Whom a link signs in, and who else is signed in in this browser. */
interface LinkPerson {
  readonly name: string
  readonly email: string
  readonly signedInAs: string
}

/** Says whom a link signs in. Only the button below that does so, as programs that look at links press none. */
const showPerson = (token: string, { name, email, signedInAs }: LinkPerson): void => {
  shown = token
  const places: Readonly<Record<string, string>> = { name, email, other: signedInAs }
  for (const element of document.querySelectorAll<HTMLElement>('[data-place]'))
    element.textContent = places[element.dataset['place'] ?? ''] ?? ''
  for (const element of document.querySelectorAll<HTMLElement>('[data-other]'))
    element.hidden = signedInAs === ''
  show()
  showStep('link')
  document.querySelector<HTMLElement>('[data-step="link"] .lead')?.focus()
}

/** Finds out whom a link signs in. */
const look = async (token: string, then: (person: LinkPerson) => void | Promise<void>): Promise<void> => {
  show('busy')
  try {
    const response = await post('link/person', { token })
    if (!response.ok) return show(await stateOf(response))
    const { link } = (await response.json()) as { readonly link: LinkPerson }
    await then(link)
  } catch {
    show('failed')
  }
}

const enter = (token: string): Promise<void> => signIn('refused', () => post('link', { token }))

/** Signs in by a link that was pasted, which is an act. The link of another person is shown first. */
const enterPasted = (token: string): Promise<void> =>
  look(token, (person) => (person.signedInAs === '' ? enter(token) : showPerson(token, person)))

const enterByPasskey = (): Promise<void> =>
  signIn('noPasskey', async () => {
    const started = await post('passkey/options')
    if (!started.ok) return started
    const { options } = (await started.json()) as { readonly options: string }
    return post('passkey', { response: await askForPasskey(options) })
  })

/** Where the wanted page is noted while the person is at the identity provider. */
const WANTED = `almoner-wanted${at('')}`

/** Sends the person to the identity provider. It asks for the password again where a proof of presence is needed. */
const goToProvider = (): Promise<void> =>
  signIn(
    'noAccount',
    () => post('oidc/start', new URLSearchParams(location.search).has('again') ? { fresh: 'true' } : {}),
    async (response) => {
      sessionStorage.setItem(WANTED, destination())
      return ((await response.json()) as { readonly url: string }).url
    },
  )

/** Signs in with what the identity provider has put into the address, which loses it at once. */
const enterFromProvider = (): Promise<void> => {
  const response = location.search.slice(1)
  const wanted = sessionStorage.getItem(WANTED) ?? HOME
  sessionStorage.removeItem(WANTED)
  history.replaceState(null, '', `${location.pathname}?to=${encodeURIComponent(wanted)}`)
  return signIn('noAccount', () => post('oidc', { response }))
}

/** Offers the ways to sign in that the server and the browser have. */
const offerMethods = async (): Promise<void> => {
  const response = await fetch(at('/console/api/sign-in/methods'))
  const { methods } = (await response.json()) as { readonly methods: ReadonlyArray<string> }
  const offered = methods.filter((method) => method !== 'passkey' || supportsPasskeys())
  for (const element of document.querySelectorAll<HTMLElement>('[data-method]'))
    element.hidden = !offered.includes(element.dataset['method'] ?? '')
}

const language = navigator.language.startsWith('fr') ? 'fr' : 'en'
document.documentElement.lang = language
for (const section of document.querySelectorAll<HTMLElement>('section')) {
  if (section.lang !== language) section.remove()
}
document.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.target as HTMLFormElement
  const fields = new FormData(form)
  const { method, act } = form.dataset
  if (method === 'password') void signIn('noPassword', () => post('password', Object.fromEntries(fields)))
  else if (act === 'link') void enter(shown)
  else void enterPasted(tokenOf(String(fields.get('link'))))
})

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const method = target.closest<HTMLElement>('[data-method]')?.dataset['method']
  if (method === 'passkey') void enterByPasskey()
  if (method === 'oidc') void goToProvider()
  if (target.closest('[data-act="other"]') !== null) showStep('ways')
})
void offerMethods().catch(() => {})

/** Shows the person of a link, which is in the fragment. The address loses it at once. */
const lookAtLink = (): void => {
  if (location.hash === '') return
  const token = tokenOf(location.hash)
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  void look(token, (person) => showPerson(token, person))
}
lookAtLink()
// Another link that is opened in this tab changes the fragment only.
addEventListener('hashchange', lookAtLink)

const asked = new URLSearchParams(location.search)
if (asked.has('state')) void enterFromProvider()
else if (asked.get('again') === 'oidc') void goToProvider()
