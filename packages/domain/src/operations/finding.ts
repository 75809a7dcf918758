/** How urgent a finding is: all is well, something may need an operator, something does. */
export const FINDING_LEVELS = ['ok', 'warning', 'fault'] as const
/** One of {@link FINDING_LEVELS}. */
export type FindingLevel = (typeof FINDING_LEVELS)[number]

/** What a check can find. The console has words for each in both languages (M8). */
export const FINDING_CODES = [
  'in-order',
  'check-failed',
  'address-of-all',
  'clock-apart',
  'database-files',
  'database-log',
  'devices-unroutable',
  'disk-files',
  'disk-full',
  'disk-narrow',
  'images-no-references',
  'images-other-storage',
  'images-too-many-orphans',
  'images-unknown',
  'media-bucket',
  'media-folder',
  'media-serving',
  'metrics-public',
  'nodes-differ',
  'pause-operator',
  'pause-refused',
  'pause-silent',
  'pause-unregistered',
  'push-credentials',
  'push-default',
  'push-file',
  'push-file-unwritable',
  'push-log',
  'push-unused',
  'retention-notifications',
  'retention-rows',
  'years-outside',
] as const
/** One of {@link FINDING_CODES}. */
export type FindingCode = (typeof FINDING_CODES)[number]

/** A result of a check, as data. The command line and the console have their own words for it. */
export interface HealthFinding {
  /** The name of the check, such as `pauses`. */
  readonly check: string
  readonly level: FindingLevel
  readonly code: FindingCode
  /** What the words need, by name. No secret and no address of a person is among them. */
  readonly values: Readonly<Record<string, string>>
}

/** Returns the finding of a check without anything to do. */
export const inOrder = (check: string): HealthFinding => ({
  check,
  level: 'ok',
  code: 'in-order',
  values: {},
})
