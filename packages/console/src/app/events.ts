import { changes } from '../session/answers.ts'
import { API, consoleApi } from '../session/api.ts'

/** Milliseconds for which changes are gathered before the page asks again, and until a closed stream is opened again. */
const GATHER = 250
const REOPEN = 15_000

/**
 * Listens to the server's events while the page is visible, and reports each change. A hidden page has no stream, because browsers open few
 * connections to one host; it counts as changed when it is shown again. Returns a function that stops listening.
 */
export const listenToEvents = (): (() => void) => {
  let stream: EventSource | undefined
  let reporting: ReturnType<typeof setTimeout> | undefined
  let reopening: ReturnType<typeof setTimeout> | undefined

  const reportSoon = () => {
    reporting ??= setTimeout(() => {
      reporting = undefined
      changes.report()
    }, GATHER)
  }
  const close = () => {
    clearTimeout(reopening)
    stream?.close()
    stream = undefined
  }
  const open = () => {
    close()
    const opened = new EventSource(`${API}/events`)
    let wasOpen = false
    opened.addEventListener('change', reportSoon)
    opened.addEventListener('open', () => {
      if (wasOpen) reportSoon()
      wasOpen = true
    })
    // The browser reconnects after a lost connection, but not after an answer with an error: the session may have ended, and asking for it
    // then waits for a new one.
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      void consoleApi.get('/session').catch(() => {})
      reopening = setTimeout(open, REOPEN)
    })
    stream = opened
  }
  const follow = () => {
    if (document.hidden) return close()
    if (stream !== undefined) return
    open()
    reportSoon()
  }
  if (!document.hidden) open()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    clearTimeout(reporting)
    close()
  }
}
