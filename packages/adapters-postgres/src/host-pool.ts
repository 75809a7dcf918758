/** An open `pg.Pool` of any version of pg, from which only the settings of its connections are used. */
export interface PostgresPool {
  /** As they were given to the pool. */
  readonly options: object
  readonly totalCount: number
}
