/** Providers, and so the credentials that each process comes with. */
const PROVIDERS = 3

/**
 * Who counts as having sent what came with credentials that are not those of a process that is new: at every half hour all processes
 * have new ones for APNs at the same time.
 */
export const RENEWED = 'whoever renewed'

/**
 * Tells which process a push came from: by the credentials, of which a process has its own for each provider. They become known as they
 * come in, so that only one process at a time may be new.
 */
export const makeSenders = () => {
  const processOf = new Map<string, string>()
  const sentBy = new Map<string, number>()
  let newest = ''
  const credentialsOf = (name: string): number => [...processOf.values()].filter((one) => one === name).length
  const isKnown = (name: string): boolean => credentialsOf(name) >= PROVIDERS
  return {
    /** From now on, unknown credentials are this process's. */
    expect: (name: string): void => {
      newest = name
    },
    /** The process that these credentials are of. */
    of: (sender: string): string => {
      const name = processOf.get(sender) ?? (isKnown(newest) ? RENEWED : newest)
      processOf.set(sender, name)
      sentBy.set(name, (sentBy.get(name) ?? 0) + 1)
      return name
    },
    /** How many pushes a process has sent. */
    sentBy: (name: string): number => sentBy.get(name) ?? 0,
    /** Whether all credentials of a process are known. */
    isKnown,
    /** Processes that came with more credentials than there are providers. */
    strange: (): ReadonlyArray<string> =>
      [...new Set(processOf.values())].filter((name) => name !== RENEWED && credentialsOf(name) > PROVIDERS),
  }
}
