import { book } from './motifs/book.ts'
import { bus } from './motifs/bus.ts'
import { circleOfPeople } from './motifs/circle.ts'
import { clinic } from './motifs/clinic.ts'
import { lake } from './motifs/lake.ts'
import { library } from './motifs/library.ts'
import { nursery } from './motifs/nursery.ts'
import { observatory } from './motifs/observatory.ts'
import { school } from './motifs/school.ts'
import { terraces } from './motifs/terraces.ts'
import { turbines } from './motifs/turbines.ts'
import { well } from './motifs/well.ts'
import type { Stage } from './stage.ts'

/** Everything that can be shown. A motif fills the whole stage, from the sky to the near edge. */
export const motifs = {
  book,
  bus,
  circle: circleOfPeople,
  clinic,
  lake,
  library,
  nursery,
  observatory,
  school,
  terraces,
  turbines,
  well,
} satisfies Readonly<Record<string, (stage: Stage) => string>>

export type MotifName = keyof typeof motifs
