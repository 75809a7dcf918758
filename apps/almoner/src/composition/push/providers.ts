import type { Provider } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Settings } from '../../config/definitions.ts'
import { openApnsProvider } from './apns.ts'
import { readAuthority } from './authority.ts'
import type { Checked } from './checked.ts'
import { openFcmProvider } from './fcm.ts'
import type { Open, OpenProvider } from './provider.ts'
import { openWebPushProvider } from './webpush.ts'

const OPEN: Readonly<Record<Provider, Open>> = {
  fcm: openFcmProvider,
  apns: openApnsProvider,
  webpush: openWebPushProvider,
}

/** The providers that the settings name, each opened or with what keeps it from being. */
export interface Opened {
  /** What is trusted beside the usual certificates. Where it cannot be read, nobody should be asked anything. */
  readonly authority: Checked<string | undefined>
  readonly providers: ReadonlyArray<{ readonly provider: Provider; readonly opened: Checked<OpenProvider> }>
  readonly close: () => Promise<void>
}

/** Opens the providers that the settings name, by files and settings of theirs alone. */
export const openProviders = async (settings: Settings): Promise<Opened> => {
  const names = settings.push.kind === 'providers' ? settings.push.providers : []
  const authority = names.length === 0 ? E.right(undefined) : await readAuthority(settings)
  const ca = E.getOrElse((): string | undefined => undefined)(authority)
  const open = async (provider: Provider) => ({ provider, opened: await OPEN[provider](settings, ca) })
  const providers = await Promise.all(names.map(open))
  const close = async (): Promise<void> => {
    await Promise.all(providers.map(({ opened }) => E.isRight(opened) && opened.right.close()))
  }
  return { authority, providers, close }
}
