import type { Migration } from './migration.ts'

/**
 * Adds the wrong codes of managers after a right password, as a JSON array of moments (M9). The row without an address takes the writes of
 * attempts that count nowhere, so that they take as long.
 */
export const wrongCodes: Migration = {
  name: '0033-wrong-codes',
  statements: ({ text, keyedOptions }) => [
    `create table wrong_code (
    email ${text} not null primary key,
    moments ${text} not null
  ) ${keyedOptions}`,
  ],
}
