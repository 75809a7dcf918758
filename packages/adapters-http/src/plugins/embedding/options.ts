/** The options of the plugin as JavaScript may give them. */
interface GivenOptions {
  readonly almoner?: { readonly ports?: unknown; readonly policy?: unknown } | undefined
  readonly prefix?: unknown
  readonly baseUrl?: unknown
}

const isUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

/** Returns a line for each option that is missing or wrong. */
const faultsOf = ({ almoner, prefix = '', baseUrl }: GivenOptions): ReadonlyArray<string> => [
  ...(almoner?.ports && almoner.policy ? [] : ['almoner must have ports and policy.']),
  ...(prefix === '' || (typeof prefix === 'string' && prefix.startsWith('/'))
    ? []
    : ["prefix must begin with a slash, as '/charity' does."]),
  ...(typeof baseUrl === 'function' || (typeof baseUrl === 'string' && isUrl(baseUrl))
    ? []
    : ["baseUrl must be the public URL of the application, such as 'https://www.example.org'."]),
]

/**
 * Checks the options of the plugin, for applications whose compiler does not.
 * @throws an Error that names each option that is missing or wrong
 */
export const checkOptions = (options: GivenOptions): void => {
  const faults = faultsOf(options)
  if (faults.length > 0) throw new Error(`almonerPlugin: ${faults.join(' ')}`)
}
