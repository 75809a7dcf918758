import type { Scope } from '@almoner/domain'
import { isRole, isScope, type Role } from '@almoner/domain/access'

const split = (text: string): ReadonlyArray<string> => text.split(' ')

/** Names as one column: separated by spaces, none of which they hold. */
export const namesColumn = (names: ReadonlyArray<Scope | Role>): string => names.join(' ')

/** The scopes of a column, in the order they were written. */
export const scopesOf = (text: string): ReadonlyArray<Scope> => split(text).filter(isScope)

/** The roles of a column, in the order they were written. */
export const rolesOf = (text: string): ReadonlyArray<Role> => split(text).filter(isRole)
