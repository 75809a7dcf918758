import type { Duty } from '../access/duties.ts'
import { changesBetween, type FieldChange } from '../history/model.ts'
import type { Email } from '../values/addresses.ts'
import { type Branded, boundedText } from '../values/refined.ts'
import type { Language } from '../values/text.ts'
import type { TimeZone } from '../values/time.ts'

/** The name of a manager, as the console shows it. */
export type ManagerName = Branded<string, 'ManagerName'>

/** Reads the name of a manager: 1 to 200 characters, not blank. */
export const ManagerName = boundedText<ManagerName>('ManagerName', 200, {
  description: 'Name of the manager.',
})

/** A person who works in the console (M2). */
export interface Manager {
  readonly email: Email
  readonly name: ManagerName
  /** The language of the console's pages. */
  readonly lang: Language
  readonly duty: Duty
  readonly disabled: boolean
  /** The time zone of the console's pages; that of the service if absent (B8). */
  readonly timeZone?: TimeZone | undefined
}

/** A manager, and the number under which the manager's changes are recorded (K1). */
export interface NumberedManager {
  readonly number: number
  readonly manager: Manager
}

/** A change of a manager. Omitted fields stay; null as time zone removes it. */
export interface ManagerChange extends Partial<Pick<Manager, 'lang' | 'duty' | 'disabled'>> {
  readonly timeZone?: TimeZone | null
}

/** There is a manager with this address already. */
export interface ManagerExists {
  readonly _tag: 'ManagerExists'
}

/** There is no manager with this address. */
export interface ManagerNotFound {
  readonly _tag: 'ManagerNotFound'
}

/** A disabled manager gets no links and other secrets. */
export interface ManagerDisabled {
  readonly _tag: 'ManagerDisabled'
}

/** The one {@link ManagerDisabled}. */
export const MANAGER_DISABLED: ManagerDisabled = { _tag: 'ManagerDisabled' }

/** The one {@link ManagerNotFound}. */
export const MANAGER_NOT_FOUND: ManagerNotFound = { _tag: 'ManagerNotFound' }

/** No enabled operator would be left (L4). */
export interface LastOperator {
  readonly _tag: 'LastOperator'
}

/** The one {@link LastOperator}. */
export const LAST_OPERATOR: LastOperator = { _tag: 'LastOperator' }

/** Returns whether a manager counts as an operator: disabled ones do not (L4). */
export const isOperator = ({ duty, disabled }: Pick<Manager, 'duty' | 'disabled'>): boolean =>
  duty === 'operator' && !disabled

/**
 * Returns whether a manager is the last enabled operator, and would be none afterwards (L4). `after` is undefined for one who is erased;
 * `operators` are the addresses of all enabled operators.
 */
export const isLastOperator = (
  operators: ReadonlyArray<Email>,
  email: Email,
  after?: Pick<Manager, 'duty' | 'disabled'>,
): boolean => !(after && isOperator(after)) && operators.length === 1 && operators[0] === email

const recordedFields = ({ lang, duty, disabled, timeZone }: Manager) => ({
  ...{ lang, duty, disabled: String(disabled), timeZone: timeZone ?? '' },
})

/** Returns the manager with a change made. */
export const changedManager = (manager: Manager, change: ManagerChange): Manager => {
  const { timeZone: earlier, ...others } = manager
  const { lang, duty, disabled, timeZone = earlier } = change
  return {
    ...others,
    lang: lang ?? manager.lang,
    duty: duty ?? manager.duty,
    disabled: disabled ?? manager.disabled,
    ...(timeZone && { timeZone }),
  }
}

/**
 * Returns what a change of a manager changes, for the record of it: no address and no name (K1). `before` is undefined for a new one, of which
 * an absent time zone is no change.
 */
export const managerChanges = (before: Manager | undefined, after: Manager): ReadonlyArray<FieldChange> =>
  changesBetween(before && recordedFields(before), recordedFields(after)).filter(
    (change) => change.before !== null || change.after !== '',
  )

/** Returns whether a change ends the manager's sessions and unused links (M4). */
export const endsSessions = ({ duty, disabled }: ManagerChange): boolean =>
  duty !== undefined || disabled === true

/** Returns a manager as JSON. */
export const managerDocument = ({ email, name, lang, duty, disabled, timeZone }: Manager) => ({
  ...{ email, name, lang, duty, disabled },
  ...(timeZone && { timeZone }),
})
