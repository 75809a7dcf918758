/** The process has more to do than it can. */
export class Overloaded extends Error {
  readonly statusCode = 503
  override readonly name = 'Overloaded'
}
