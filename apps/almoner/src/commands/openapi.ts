import { openApiDocument } from '@almoner/adapters-http'
import * as TE from 'fp-ts/lib/TaskEither.js'
import manifest from '../../package.json' with { type: 'json' }
import type { Work } from '../cli/command.ts'
import { serviceAddress } from '../composition/address.ts'

/** `openapi`: the OpenAPI document. */
export const printOpenApi: Work = (settings) => {
  const json = openApiDocument(manifest.version, serviceAddress(settings).baseUrl())
  return TE.right({ text: JSON.stringify(json, null, 2), json })
}
