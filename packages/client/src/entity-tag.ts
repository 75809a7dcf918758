/** Matches a tag of an item: its id, revision and digest, and what proxies that compress make of it (C13). */
const PROXIED = /^(?:W\/)?("[^"]+\.\d+\.[\w-]{8})(?:-gzip|-br|-zstd|--gzip|;gzip)?"$/

/** Returns the ETag of an answer as the service wrote it, so that two answers about one version have equal tags; any other as it came. */
export const etagIn = (headers: Headers): string | undefined => {
  const sent = headers.get('ETag') ?? undefined
  const [, own] = PROXIED.exec(sent ?? '') ?? []
  return own === undefined ? sent : `${own}"`
}
