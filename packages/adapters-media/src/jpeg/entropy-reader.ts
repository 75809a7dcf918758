import type { HuffmanTable } from './huffman.ts'

const FILLING = 0xff

/** Reads the entropy-coded data of a JPEG scan bit by bit. Past its end it reads zeros and remembers that it did. */
export class EntropyReader {
  readonly #data: Uint8Array
  #at = 0
  /** The last bits taken from the data; the lowest `#count` of them are unread. */
  #bits = 0
  #count = 0
  /** How many bits have been made up. */
  #madeUp = 0

  constructor(data: Uint8Array) {
    this.#data = data
  }

  /** Whether more has been read than there is. */
  get overrun(): boolean {
    return this.#count < this.#madeUp
  }

  /** Reads one code; gives its symbol, or -1 when the bits are no code. */
  symbol(table: HuffmanTable): number {
    this.#fill()
    const found = table[(this.#bits >> (this.#count - 16)) & 0xffff] ?? 0
    this.#count -= found >> 8
    return found === 0 ? -1 : found & 0xff
  }

  /** Passes over at most 16 bits. */
  skip(bits: number): void {
    if (this.#count < bits) this.#fill()
    this.#count -= bits
  }

  /** Goes on behind a restart marker; says whether there is one, right after the last byte read. */
  restart(): boolean {
    const marker = this.#afterFilling()
    const code = this.#data[marker + 1] ?? 0
    if (this.#unread() >= 8 || this.#data[marker] !== 0xff || code < 0xd0 || code > 0xd7) return false
    this.#at = marker + 2
    this.#bits = this.#count = this.#madeUp = 0
    return true
  }

  /** Whether nothing is left but filling: the rest of a byte, then zeros or ones, which some cameras write. */
  onlyFillingLeft(): boolean {
    this.#fill()
    this.skip(this.#unread() % 8)
    for (let left = this.#unread(); left > 0; left = this.#unread()) {
      const byte = (this.#bits >> (this.#count - 8)) & 0xff
      if (byte !== 0 && byte !== FILLING) return false
      this.skip(8)
      this.#fill()
    }
    return this.#afterFilling() + 1 >= this.#data.length
  }

  #unread(): number {
    return Math.max(0, this.#count - this.#madeUp)
  }

  #afterFilling(): number {
    let at = this.#at
    while (this.#data[at] === FILLING && this.#data[at + 1] === FILLING) at += 1
    return at
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#data[this.#at]
      const stuffed = byte === 0xff && this.#data[this.#at + 1] === 0
      if (byte === undefined || (byte === 0xff && !stuffed)) {
        this.#bits <<= 8
        this.#madeUp += 8
      } else {
        this.#bits = (this.#bits << 8) | byte
        this.#at += stuffed ? 2 : 1
      }
      this.#count += 8
    }
  }
}
