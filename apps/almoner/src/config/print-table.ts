import { settingsTable } from './help.ts'

// Prints the table of settings in docs/operations.md, which a test compares with this.
process.stdout.write(settingsTable())
