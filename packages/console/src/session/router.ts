import { useEffect, useSyncExternalStore } from 'react'
import { withoutBase } from '../paths.ts'

/** Whether a URL is a page of the console, as opposed to its API or its sign-in pages. */
const isOurs = (url: URL): boolean =>
  url.origin === location.origin &&
  /^\/console(?!\/(?:api|assets|sign-in|enter)(?:\/|$))(?:\/|$)/.test(withoutBase(url.pathname) ?? '')

/** Asks whether the page may be left, for as long as something on it is unsaved. */
let guard: (() => boolean) | undefined

/** Sets the question that is asked before a page with unsaved text is left; undefined removes it. */
export const guardPage = (mayLeave: (() => boolean) | undefined): void => {
  guard = mayLeave
}

/**
 * Answers navigations within the console by rendering again instead of loading a page, with the Navigation API. A browser without it
 * loads each page, which works as well.
 */
export const startRouter = (): void => {
  globalThis.navigation?.addEventListener('navigate', (event) => {
    const url = new URL(event.destination.url)
    const isElsewhere = url.pathname !== location.pathname
    if (isElsewhere && event.cancelable && guard?.() === false) return event.preventDefault()
    if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || !isOurs(url)) return
    event.intercept({ focusReset: 'manual', scroll: isElsewhere ? 'after-transition' : 'manual' })
  })
}

const subscribe = (onChange: () => void): (() => void) => {
  const { navigation } = globalThis
  navigation?.addEventListener('currententrychange', onChange)
  return () => navigation?.removeEventListener('currententrychange', onChange)
}

/** Returns the current URL, and renders again when it changes. */
export const useUrl = (): URL => new URL(useSyncExternalStore(subscribe, () => location.href))

/** Opens a page of the console. `replace` keeps the present entry of the history. */
export const goTo = (path: string, history: 'push' | 'replace' = 'push'): void => {
  const { navigation } = globalThis
  if (navigation === undefined) location.assign(path)
  else void navigation.navigate(path, { history }).finished?.catch(() => {})
}

let shownTitle: string | undefined
const titleListeners = new Set<() => void>()

/** The name of what the page shows, where it shows one thing. */
export const pageTitle = {
  current: (): string | undefined => shownTitle,
  subscribe: (listener: () => void): (() => void) => {
    titleListeners.add(listener)
    return () => titleListeners.delete(listener)
  },
  set: (title: string | undefined): void => {
    shownTitle = title
    for (const listener of titleListeners) listener()
  },
}

/** Names the tab after what the page shows, once that is known. */
export const usePageTitle = (title: string | undefined): void => {
  useEffect(() => {
    pageTitle.set(title === '' ? undefined : title)
    return () => pageTitle.set(undefined)
  }, [title])
}

/** Returns the path with some parameters changed; an empty value removes one. */
export const withQuery = (url: URL, changes: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? url.pathname : `${url.pathname}?${text}`
}
