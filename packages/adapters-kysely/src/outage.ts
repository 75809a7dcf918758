/** A fault from outside the program that an engine itself has noticed: too much waits, it is closed, its server is gone. */
export class Outage extends Error {
  override readonly name = 'Outage'
}
