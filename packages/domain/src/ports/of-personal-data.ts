import type { ManagerPorts } from './of-managers.ts'
import type { PersonalData } from './personal-data.ts'

/** What personal data and the areas before it ask of the world. */
export interface PersonalDataPorts extends ManagerPorts {
  readonly personalData: PersonalData
}
