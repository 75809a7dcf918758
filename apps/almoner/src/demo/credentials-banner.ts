import { table } from '../cli/table.ts'
import type { Credentials } from '../commands/client/document.ts'

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
