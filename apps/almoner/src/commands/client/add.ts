import { makeAddClient } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { jsonOnly, onDatabase, type Work } from '../../cli/command.ts'
import { failed, notAvailable } from '../../cli/failure.ts'
import { credentialsDocument } from './document.ts'
import { type ClientOptions, readClient } from './read-client.ts'

/** `client add`: registers a client and tells its secret, this once (A6). Wrong options stop it before anything is opened. */
export const addClient =
  (options: ClientOptions): Work =>
  (settings) =>
    pipe(
      TE.fromEither(readClient(options)),
      TE.flatMap((client) =>
        onDatabase((ports) =>
          pipe(
            makeAddClient(ports)(client),
            TE.bimap(
              (fault) =>
                fault._tag === 'ClientExists'
                  ? failed(`there is a client ${client.id} already`)
                  : notAvailable('the database')(fault),
              (added) => jsonOnly(credentialsDocument(added)),
            ),
          ),
        )(settings),
      ),
    )
