import { setTimeout as wait } from 'node:timers/promises'
import { type Figures, lasting, sumOf } from '@almoner/adapters-http'
import type { FiguresSource } from '../metrics-server.ts'
import type { Hand } from './hand.ts'

/** A worker that has not told its figures by then counts with those it told last; in milliseconds. */
const PATIENCE = 1000

/** The figures of all workers as one. */
export interface GatheredFigures extends FiguresSource {
  /** Remembers what a worker tells before it ends. */
  readonly last: (hand: Hand, figures: Figures) => void
  /** A worker has ended: what it counted goes into one sum with that of all before it. */
  readonly parted: () => void
}

/**
 * Gathers the figures of those who live now, and adds what those who have ended have counted (I3): sums never fall while the service
 * runs, but for what a worker that was killed had counted since it was asked last.
 */
export const gatheredFigures = (hands: () => ReadonlyArray<Hand>): GatheredFigures => {
  const told = new Map<Hand, Figures>()
  let departed: Figures = []
  const ask = async (hand: Hand): Promise<void> => {
    const answered = hand.line.ask('figures', null).then((figures) => void told.set(hand, figures))
    await Promise.race([answered, hand.ended, wait(PATIENCE, undefined, { ref: false })])
  }
  const part = async (): Promise<void> => {
    const living = hands()
    const gone = [...told.keys()].filter((hand) => !living.includes(hand))
    const theirs = gone.map((hand) => lasting(told.get(hand) ?? []))
    for (const hand of gone) told.delete(hand)
    if (theirs.length > 0) departed = await sumOf([departed, ...theirs]).getMetricsAsJSON()
  }
  let parting = Promise.resolve()
  // One after the other, so that nobody is added twice.
  const parted = (): Promise<void> => {
    parting = parting.then(part)
    return parting
  }
  return {
    contentType: sumOf([]).contentType,
    parted: () => void parted(),
    last: (hand, figures) => void told.set(hand, figures),
    read: async () => {
      await Promise.all(hands().map(ask))
      await parted()
      return sumOf([...told.values(), departed]).metrics()
    },
  }
}
