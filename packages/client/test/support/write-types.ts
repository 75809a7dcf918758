// Regenerates the types from the OpenAPI document: pnpm client:types
import { writeFileSync } from 'node:fs'
import { makeTypes, TYPES_FILE } from './types.ts'

writeFileSync(TYPES_FILE, await makeTypes())
