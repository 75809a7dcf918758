import { type DefaultProvider, isPushHost, PROVIDERS, type PushHost, WebUrl } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Parse } from './setting.ts'
import { choice } from './values.ts'

/** How pushes go out: as lines in the log, the only way of this build. */
export const gateway: Parse<'log'> = (text) => {
  if (text === 'log') return E.right(text)
  const named: ReadonlyArray<string> = text.split(',').map((part) => part.trim())
  const lacking = PROVIDERS.filter((provider) => named.includes(provider))
  return E.left(lacking.length === 0 ? 'must be log' : `must be log; this build has no ${lacking.join(', ')}`)
}

/** A provider for device tokens that tell none (F5). */
export const defaultProvider: Parse<O.Option<DefaultProvider>> = (text) =>
  pipe(
    choice('none', 'fcm', 'apns')(text),
    E.map((word) => (word === 'none' ? O.none : O.some(word))),
  )

/** An entry of the allow-list of Web Push (F5), in any case. */
export const pushHost: Parse<PushHost> = (text) => {
  const host = text.toLowerCase()
  return isPushHost(host)
    ? E.right(host)
    : E.left(
        'must be hosts such as push.example.org, *.example.org or localhost:8443 with commas between them',
      )
}

/** The address of a picture. */
export const iconUrl: Parse<O.Option<WebUrl>> = (text) =>
  WebUrl.is(text)
    ? E.right(O.some(text))
    : E.left('must be an absolute http or https URL without user name or password')
