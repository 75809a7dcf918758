import {
  type DefaultProvider,
  isPushHost,
  PROVIDERS,
  type Provider,
  type PushHost,
  WebUrl,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Parse } from './setting.ts'
import { choice } from './values.ts'

/** How pushes go out. */
export type PushWay =
  /** As lines in the log. */
  | { readonly kind: 'log' }
  /** As lines in a file. */
  | { readonly kind: 'file'; readonly path: string }
  /** By these providers, in the order of the domain's list. */
  | { readonly kind: 'providers'; readonly providers: ReadonlyArray<Provider> }

const RULE = `must be log, file: and the path of a file, or any of ${PROVIDERS.join(', ')} with commas between them, each once`

/** `log`, `file:PATH`, or providers. */
export const pushWay: Parse<PushWay> = (text) => {
  if (text === 'log') return E.right({ kind: 'log' })
  // Two slashes could mean a host.
  const [, path] = /^file:(?!\/\/[^/])(.*\S.*)$/s.exec(text) ?? []
  if (path !== undefined) return E.right({ kind: 'file', path })
  const named: ReadonlyArray<string> = text.split(',').map((part) => part.trim())
  const providers = PROVIDERS.filter((provider) => named.includes(provider))
  return providers.length === named.length ? E.right({ kind: 'providers', providers }) : E.left(RULE)
}

/** Whether pushes of a provider go anywhere: to it, or to where all are written down. */
export const isCarried = (way: PushWay, provider: Provider): boolean =>
  way.kind !== 'providers' || way.providers.includes(provider)

/** Names how pushes go out: the providers, or that they are only written down, such as `log only, nothing is sent`. */
export const pushNote = (way: PushWay): string =>
  way.kind === 'providers' ? way.providers.join(',') : `${way.kind} only, nothing is sent`

/** Returns the note of {@link pushNote} where pushes are only written down; undefined where providers carry them. */
export const unsentNote = (way: PushWay): string | undefined =>
  way.kind === 'providers' ? undefined : pushNote(way)

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
