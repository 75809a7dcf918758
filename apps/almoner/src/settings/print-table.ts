import { settingsTable } from './listing.ts'

// Prints the table of settings in docs/operations.md, which a test compares with this.
process.stdout.write(settingsTable())
