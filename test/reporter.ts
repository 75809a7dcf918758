// Prints a line for each test file, and each failure with its details. tap's own reporters compute the whole screen again for each
// of a hundred thousand assertions, which takes as much processor time as the slowest test file.
import { Transform, type TransformCallback } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A result: its indent, whether it failed, and whether it has a directive, such as that it was skipped. */
const RESULT = /^( *)(not )?ok\b(.* # [A-Z])?/
const DETAILS = /^( *)---$/
/** Names of subtests, plans, comments and empty lines of files. */
const STRUCTURE = /^(?:# Subtest:.*| *| +(?:\d+\.\.\d+|#.*))$/

/** The reporter that `.taprc` names. Reads TAP and writes the lines that a person needs. */
export default class Reporter extends Transform {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  /** Whether the last result was shown; its details follow it. */
  #isShown = false
  /** The line that ends the details that are being read. */
  #end: string | undefined

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n')
    this.#rest = lines.pop() ?? ''
    const shown = lines.filter((line) => this.#shows(line))
    done(null, shown.map((line) => `${line}\n`).join(''))
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#rest)
  }

  #shows(line: string): boolean {
    if (this.#end !== undefined) {
      if (line === this.#end) this.#end = undefined
      return this.#isShown
    }
    const details = DETAILS.exec(line)
    if (details !== null) {
      this.#end = `${details[1]}...`
      return this.#isShown
    }
    const result = RESULT.exec(line)
    if (result === null) return !STRUCTURE.test(line)
    const [, indent, failed, directive] = result
    this.#isShown = failed !== undefined || directive !== undefined
    return this.#isShown || indent === ''
  }
}
