import type { Email } from '@almoner/domain'
import {
  type Manager,
  type ManagerName,
  makeAddManager,
  makeCreateSignInLink,
} from '@almoner/domain/managers'
import { isUnavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { table } from '../cli/command.ts'
import type { Credentials } from '../commands/client.ts'
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

const indented = (text: string): string => text.replaceAll(/^/gm, '  ')

/** Single quotes are safe: neither secrets nor URLs contain any. */
const curls = (baseUrl: string, { client_id, client_secret }: Credentials): ReadonlyArray<string> => [
  `TOKEN=$(curl -sS '${baseUrl}/oauth2/get-token' -d grant_type=client_credentials -d client_id=${client_id} -d client_secret=${client_secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  `curl -sS '${baseUrl}/library/?lim=2' -H "Authorization: Bearer $TOKEN"`,
  `curl -sS '${baseUrl}/feed/' -H "Authorization: Bearer $TOKEN" -d itemType=link -d link=https://example.org/ -d 'itemTitle=Hello' -d 'itemDescription=My first post'`,
]

/** Formats the banner after seeding: the clients' credentials and how to use them. */
export const credentialsBanner = (
  clients: ReadonlyArray<Credentials>,
  baseUrl: string,
  credentialsFile: string,
): string => {
  const heads = ['CLIENT_ID', 'CLIENT_SECRET', 'SCOPE', 'ROLES', 'EMAIL']
  const rows = clients.map(({ client_id: id, client_secret: secret, scope, roles, email }) => {
    return [id, secret, scope, roles.join(' '), email]
  })
  const manager = clients.filter(({ scope }) => scope === 'content-manager')
  return [
    `Demonstration clients, shown this once and kept in ${credentialsFile}:`,
    '',
    indented(table(heads, rows)),
    '',
    'Three lines to copy: a token, a list, a new post.',
    '',
    indented(manager.flatMap((one) => curls(baseUrl, one)).join('\n')),
    '',
    `The API's own page: ${baseUrl}/docs`,
    '',
    '',
  ].join('\n')
}
