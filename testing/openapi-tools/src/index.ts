import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { generate } from 'orval'

/** A finding of `redocly lint`. */
export interface LintFinding {
  readonly rule: string
  readonly message: string
}

/** Returns the findings of the recommended rules of `redocly lint`, warnings included. */
export const lint = async (document: object): Promise<ReadonlyArray<LintFinding>> => {
  const config = await createConfig({ extends: ['recommended'] })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message }) => ({ rule: ruleId, message }))
}

/** The generators of clients, by name. Each writes the client of a document into a folder, and returns the file with its types. */
export const GENERATORS: Readonly<Record<string, (document: object, folder: string) => Promise<string>>> = {
  'openapi-typescript': async (document, folder) => {
    const nodes = await openapiTypes(document as OpenAPI3, { rootTypes: true, rootTypesNoSchemaPrefix: true })
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'types.ts')
    writeFileSync(file, astToString(nodes))
    return file
  },
  'hey-api': async (document, folder) => {
    await createClient({
      input: document as Record<string, unknown>,
      output: { path: folder },
      logs: { level: 'silent', file: false },
    })
    return join(folder, 'types.gen.ts')
  },
  orval: async (document, folder) => {
    mkdirSync(folder, { recursive: true })
    const input = join(folder, 'openapi.json')
    writeFileSync(input, JSON.stringify(document))
    const target = join(folder, 'api.ts')
    await generate({ input: { target: input }, output: { target, client: 'fetch', mode: 'single' } })
    return target
  },
}
