import { isParsable, parseUrl } from '../values/addresses.ts'

/** An entry of the allow-list: `host` or `*.host` (any host below it), each with an optional `:port` (443 when left out). */
export type PushHost = string

/** The hosts of the browsers' push services: Chrome and its kin, Chromium of Linux distributions, Firefox, Edge on Windows, Safari. */
export const BROWSER_PUSH_HOSTS: ReadonlyArray<PushHost> = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

const FORM =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

const HTTPS = '443'

const split = (entry: PushHost): readonly [host: string, port: string] => {
  const [, host = '', port = HTTPS] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return [host, port]
}

const isPort = (port: string): boolean => Number(port) >= 1 && Number(port) <= 65_535

/** Whether a text, in lower case, can stand in the allow-list. */
export const isPushHost = (text: string): text is PushHost => FORM.test(text) && isPort(split(text)[1])

/** Whether the host of a Web Push endpoint is on the allow-list (F5), so that callers cannot choose where the service sends. */
export const mayPushTo =
  (allowed: ReadonlyArray<PushHost>) =>
  (endpoint: string): boolean => {
    const { hostname, port, username, password } = parseUrl(endpoint)
    if (username !== '' || password !== '') return false
    return allowed.map(split).some(([host, itsPort]) => {
      const isHost = host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
      return isHost && (port === '' ? HTTPS : port) === itsPort
    })
  }

/** Domains that no mail and no page of the internet is under (RFC 2606, RFC 6761, RFC 6762). */
const RESERVED = /(?:^|\.)(?:local|localhost|invalid|test|example)$/i

/** Returns the host of a contact for push services, a `mailto:` or `https:` URL, if it is under a reserved domain: Apple refuses such pushes. */
export const reservedContactHost = (subject: string): string | undefined => {
  const host = subject.startsWith('mailto:')
    ? subject.slice(subject.lastIndexOf('@') + 1).split('?', 1)[0]
    : isParsable(subject)
      ? parseUrl(subject).hostname
      : undefined
  return host !== undefined && RESERVED.test(host) ? host : undefined
}
