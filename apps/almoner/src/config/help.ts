import { ALL_SETTINGS } from './definitions.ts'

/** The settings for `--help`: name and default on a line, what it does below. */
export const settingsHelp = (): string => {
  const entries = ALL_SETTINGS.map((setting) => `  ${setting.name}=${setting.default}\n      ${setting.doc}`)
  return ['', 'Settings (environment variables, with their defaults):', ...entries].join('\n')
}
