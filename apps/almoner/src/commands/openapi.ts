import { openApiDocument } from '@almoner/adapters-http'
import * as TE from 'fp-ts/lib/TaskEither.js'
import manifest from '../../package.json' with { type: 'json' }
import { serviceAddress } from '../serve/address.ts'
import type { Work } from './command.ts'

/** `openapi`: the OpenAPI document. */
export const printOpenApi: Work = (settings) => {
  const json = openApiDocument(manifest.version, serviceAddress(settings).baseUrl())
  return TE.right({ text: JSON.stringify(json, null, 2), json })
}
