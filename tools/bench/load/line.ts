import type { Compared, Figures, PacedBoth } from './compare.ts'

/** A workload's line in the report. */
export interface Line {
  readonly name: string
  readonly title: string
  readonly beside: string
  /** What the ratio should be at least. */
  readonly least: number | undefined
  readonly ours: Pick<Figures, 'perSecond' | 'cpu'> & Partial<Figures>
  readonly counterpart: Pick<Figures, 'perSecond' | 'cpu'> & Partial<Figures>
  readonly paced: PacedBoth | undefined
}

/** From this share of its core on, it is the generator that bounds the rate. */
const SATURATED = 0.95

/** How ours compares: above 1 it is the quicker one. */
export interface Ratio {
  /** Of requests a second. */
  readonly byRate: number
  /** Of processor time a request, turned round. */
  readonly byCpu: number
  /** Whether the generator bounded one of the rates, so that only processor time tells. */
  readonly isBounded: boolean
  /** The one of the two that tells. */
  readonly telling: number
}

/** The ratio of a line. */
export const ratioOf = ({ ours, counterpart }: Pick<Line, 'ours' | 'counterpart'>): Ratio => {
  const byRate = ours.perSecond / counterpart.perSecond
  const byCpu = counterpart.cpu / ours.cpu
  const isBounded = Math.max(ours.generator ?? 0, counterpart.generator ?? 0) > SATURATED
  return { byRate, byCpu, isBounded, telling: isBounded ? byCpu : byRate }
}

/** A line of what was compared. */
export const lineOf = (
  { name, title, beside, least }: Omit<Line, 'least' | 'ours' | 'counterpart' | 'paced'> & { least?: number },
  compared: Compared,
): Line => ({
  name,
  title,
  beside,
  least,
  ours: compared.ours,
  counterpart: compared.beside,
  paced: compared.paced,
})
