import { Gauge, type Registry } from 'prom-client'

/** Returns the bytes of a file database's write-ahead log. It may throw. */
export type AskLogBytes = () => number

/** Adds a gauge of the write-ahead log, which each process reads from the same file. It has no value while the file cannot be read. */
export const showLog = (registry: Registry, ask: AskLogBytes): void => {
  new Gauge({
    name: 'almoner_database_log_bytes',
    help: 'Bytes of the write-ahead log of a SQLite database.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      try {
        this.set(ask())
      } catch {
        this.remove()
      }
    },
  })
}
