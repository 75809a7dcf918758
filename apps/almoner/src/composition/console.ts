import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ConsoleAssets, consoleOf } from '@almoner/adapters-http/console'
import { openPortfolioUpload } from '@almoner/adapters-node/files'
import { makeHost } from './host.ts'
import { rateLimitOf } from './rate-limit.ts'
import type { OpenService } from './server.ts'
import { identityProviderOf, passkeysOf, passwordsOf } from './sign-in.ts'

/** The built pages beside the bundled server. */
const BUNDLED = join(import.meta.dirname, 'console')

/** Builds the pages when the program runs from its sources; otherwise reads the built ones, from the bundle or the package. */
const loadPages = async (): Promise<ConsoleAssets> => {
  const { buildConsole, readConsole } = await import('@almoner/console')
  if (import.meta.filename.endsWith('.ts')) return buildConsole()
  return existsSync(BUNDLED) ? readConsole(BUNDLED) : readConsole()
}

/** Loads the pages for the first reader, and again after a failure. */
const makeAssets = (): (() => Promise<ConsoleAssets>) => {
  let loading: Promise<ConsoleAssets> | undefined
  return () => {
    loading ??= loadPages().catch((cause) => {
      loading = undefined
      throw cause
    })
    return loading
  }
}

/** Returns the origin that images are redirected to, if there is one: the pages may show them (M6). */
const imageOrigins = ({ settings: { media, mediaServe } }: OpenService): ReadonlyArray<string> => {
  if (media.kind === 'folder' || mediaServe.kind === 'proxy') return []
  if (mediaServe.kind === 'public') return [new URL(mediaServe.url).origin]
  // The region of a signed URL may come from the environment of the AWS client.
  return [media.endpoint ?? 'https://*.amazonaws.com']
}

/** Makes the console as a part of the server (M1); none where the setting is `off`. `readMetrics` reads those of all workers. */
export const consoleParts = (
  service: OpenService,
  readMetrics?: () => Promise<string>,
): ReadonlyArray<ReturnType<typeof consoleOf>> =>
  service.settings.console
    ? [
        consoleOf({
          ports: service.ports,
          policy: service.policy,
          openPortfolio: openPortfolioUpload(),
          baseUrl: service.address.baseUrl,
          passkeys: passkeysOf(service),
          identityProvider: identityProviderOf(service.settings, service.address),
          passwords: passwordsOf(service),
          assets: makeAssets(),
          imageOrigins: imageOrigins(service),
          rateLimit: rateLimitOf(service.settings),
          changes: { version: service.database.version },
          host: makeHost(service, readMetrics),
        }),
      ]
    : []
