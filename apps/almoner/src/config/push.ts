import { isPushHost, PROVIDERS, type Provider, type PushHost } from '@almoner/domain/people'
import { WebUrl } from '@almoner/domain/values'
import { type Parse, rule } from '../composition/node.ts'

/** How pushes go out. */
export type PushWay =
  /** As lines in the log. */
  | { readonly kind: 'log' }
  /** As lines in a file. */
  | { readonly kind: 'file'; readonly path: string }
  /** By these providers, in the order of the domain's list. */
  | { readonly kind: 'providers'; readonly providers: ReadonlyArray<Provider> }

/** `log`, `file:PATH`, or providers. */
export const pushWay: Parse<PushWay> = rule(
  `must be log, file: and the path of a file, or any of ${PROVIDERS.join(', ')} with commas between them, each once`,
  (text) => {
    if (text === 'log') return { kind: 'log' }
    // Two slashes could mean a host.
    const [, path] = /^file:(?!\/\/[^/])(.*\S.*)$/s.exec(text) ?? []
    if (path !== undefined) return { kind: 'file', path }
    const named: ReadonlyArray<string> = text.split(',').map((part) => part.trim())
    const providers = PROVIDERS.filter((provider) => named.includes(provider))
    return providers.length === named.length ? { kind: 'providers', providers } : undefined
  },
)

/** Whether pushes of a provider go anywhere: to it, or to where all are written down. */
export const isCarried = (way: PushWay, provider: Provider): boolean =>
  way.kind !== 'providers' || way.providers.includes(provider)

/** Names how pushes go out: the providers, or that they are only written down, such as `log only, nothing is sent`. */
export const pushNote = (way: PushWay): string =>
  way.kind === 'providers' ? way.providers.join(',') : `${way.kind} only, nothing is sent`

/** Returns the note of {@link pushNote} where pushes are only written down; undefined where providers carry them. */
export const unsentNote = (way: PushWay): string | undefined =>
  way.kind === 'providers' ? undefined : pushNote(way)

/** An entry of the allow-list of Web Push (F5), in any case. */
export const pushHost: Parse<PushHost> = rule(
  'must be hosts such as push.example.org, *.example.org or localhost:8443 with commas between them',
  (text) => [text.toLowerCase()].find(isPushHost),
)

/** The URL of a picture. */
export const iconUrl: Parse<WebUrl> = rule(
  'must be an absolute http or https URL without user name or password',
  (text) => (WebUrl.is(text) ? text : undefined),
)
