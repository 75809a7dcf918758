import { ALL_SETTINGS } from '../../src/config/definitions.ts'

/** The settings as a Markdown table, as docs/operations.md has it. Run this file to print it. */
export const settingsTable = (): string =>
  [
    '| variable | default | what it does |',
    '| --- | --- | --- |',
    ...ALL_SETTINGS.map((setting) => `| \`${setting.name}\` | \`${setting.default}\` | ${setting.doc} |`),
    '',
  ].join('\n')

if (import.meta.main) process.stdout.write(settingsTable())
