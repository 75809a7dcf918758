/** Chance, for jitter. What must not be guessed comes from {@link Secrets}. */
export interface Random {
  /** A number from 0 to below 1, as likely as any other. Not for secrets. Never fails. */
  fraction(): number
}
