import type { Client } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../../cli/command.ts'
import { notAvailable } from '../../cli/failure.ts'
import { table } from '../../cli/table.ts'
import { clientDocument } from './document.ts'

const row = (client: Client): ReadonlyArray<string> => {
  const { client_id, name, scope, roles, email, disabled } = clientDocument(client)
  return [client_id, name, scope, roles.join(' '), email, disabled ? 'disabled' : 'enabled']
}

/** `client list`: every client, by id, without secrets. */
export const listClients: Work = onDatabase(({ clients }) =>
  pipe(
    clients.all(),
    TE.bimap(notAvailable('the database'), (all) => ({
      text: table(['ID', 'NAME', 'SCOPE', 'ROLES', 'EMAIL', 'STATE'], all.map(row)),
      json: all.map(clientDocument),
    })),
  ),
)
