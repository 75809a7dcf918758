import { makeCheckTexts } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../../cli/command.ts'
import { notAvailable } from '../../cli/failure.ts'
import { table } from '../../cli/table.ts'

const HEADS = ['ID', 'TEXT', 'LANG', 'FINDING']

/** `check texts`: what lacks a language, and highlights that do not occur in their text. */
export const checkTexts: Work = onDatabase((ports) =>
  pipe(
    makeCheckTexts(ports)(),
    TE.bimap(notAvailable('the database'), (findings) => ({
      text:
        findings.length === 0
          ? 'No text is missing.'
          : table(
              HEADS,
              findings.map(({ id, about, lang, message }) => [id, about, lang, message]),
            ),
      json: { findings },
    })),
  ),
)
