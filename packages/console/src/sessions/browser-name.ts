/** Names of browsers, by the part of the user agent that only they have; earlier ones win. */
const BROWSERS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (list: typeof BROWSERS, agent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(agent))?.[1]

/** Returns the browser and system that a user agent names, as "Firefox · Windows"; the first words of an unknown one. */
export const browserName = (agent: string): string => {
  const names = [nameIn(BROWSERS, agent), nameIn(SYSTEMS, agent)].filter((name) => name !== undefined)
  return names.length > 0 ? names.join(' · ') : agent.slice(0, 40)
}
