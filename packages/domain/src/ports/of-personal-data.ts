import type { ManagerPorts } from '../managers/ports.ts'
import type { PersonalData } from './personal-data.ts'

/** What personal data and the areas before it ask of the world. */
export interface PersonalDataPorts extends ManagerPorts {
  readonly personalData: PersonalData
}
