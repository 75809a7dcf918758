// Regenerates the types from the OpenAPI documents: pnpm client:types
import { writeFileSync } from 'node:fs'
import { makeTypes } from './types.ts'

for (const [file, text] of await makeTypes()) writeFileSync(file, text)
