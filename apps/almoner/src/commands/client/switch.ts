import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../../cli/command.ts'
import { clientDocument } from './document.ts'
import { clientFailure, knownForm } from './known-client.ts'

/** `client disable ID` and `client enable ID`: twice is the same as once (A6). */
export const switchClient =
  (id: string, disabled: boolean): Work =>
  (settings) =>
    pipe(
      TE.fromEither(knownForm(id)),
      TE.flatMap((known) =>
        onDatabase(({ clients }) =>
          pipe(
            clients.setDisabled(known, disabled),
            TE.bimap(clientFailure(known), (client) => ({
              text: `${client.id} is ${client.disabled ? 'disabled' : 'enabled'}`,
              json: clientDocument(client),
            })),
          ),
        )(settings),
      ),
    )
