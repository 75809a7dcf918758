// Writes the types of the OpenAPI document anew: pnpm client:types
import { writeFileSync } from 'node:fs'
import { makeTypes, TYPES_FILE } from './types.ts'

writeFileSync(TYPES_FILE, await makeTypes())
