/** What is wrong with an archive, or keeps one from being written, as a sentence for the operator. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
}
