/** A fault from outside the program that an engine itself has noticed: too much waits, it is closed, its server is gone. */
export class Outage extends Error {
  override readonly name: string = 'Outage'
}

/** The engine cannot find out whether a transaction was committed (I5). */
export class CommitOutcomeUnknown extends Outage {
  override readonly name = 'CommitOutcomeUnknown'
}
