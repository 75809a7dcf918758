import type { Email } from '@almoner/domain'
import {
  type Manager,
  type ManagerName,
  makeAddManager,
  makeCreateSignInLink,
} from '@almoner/domain/managers'
import { isUnavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { OpenService } from '../composition/server.ts'
import { notAvailable } from '../failure.ts'
import { byDemonstration } from './seeding.ts'

/** The manager of the demonstration. */
const MANAGER: Manager = {
  email: 'manager@example.org' as Email,
  name: 'Camille Martin' as ManagerName,
  lang: 'en',
  duty: 'operator',
  disabled: false,
}

/** Seconds for which the link of a start works (M2). */
const LINK_LIFE = 15 * 60

/** Makes a link that signs the demonstration's manager in. Returns a function that makes the text to print; undefined without a console. */
export const consoleBanner = async ({
  settings,
  ports,
  address,
}: OpenService): Promise<(() => string) | undefined> => {
  if (!settings.console) return undefined
  const failure = notAvailable('the manager of the demonstration')
  const added = await makeAddManager(ports)(MANAGER, byDemonstration(ports))()
  if (E.isLeft(added) && isUnavailable(added.left)) throw failure(added.left)
  const link = await makeCreateSignInLink(ports)(MANAGER.email, LINK_LIFE)()
  if (E.isLeft(link)) {
    if (isUnavailable(link.left)) throw failure(link.left)
    return undefined
  }
  const { secret } = link.right
  return () =>
    `The console: ${address.baseUrl()}/console\nOpen this link once, within 15 minutes, to sign in:\n\n  ${address.baseUrl()}/console/enter#${secret}\n\n`
}
