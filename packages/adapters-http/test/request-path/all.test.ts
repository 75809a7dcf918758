import { loadTests } from '../../../../test/load-tests.ts'

await loadTests(import.meta.dirname)
