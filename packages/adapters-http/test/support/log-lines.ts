/** A line of the log, read. */
export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly requestId?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly client?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
}

export const readLines = (lines: ReadonlyArray<string>): ReadonlyArray<LogLine> =>
  lines.map((line) => JSON.parse(line) as LogLine)

/** The line about an answer. */
export const lineOf = (lines: ReadonlyArray<string>, response: Response): LogLine | undefined =>
  readLines(lines).find(({ requestId }) => requestId === response.headers.get('x-request-id'))

/** Waits until the server has written this many lines: a line comes after the answer that it is about. */
export const untilLines = async (lines: ReadonlyArray<string>, count: number): Promise<void> => {
  while (lines.length < count) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits for the line about an answer and gives it. */
export const lineAbout = async (lines: ReadonlyArray<string>, response: Response): Promise<LogLine> => {
  for (;;) {
    const found = lineOf(lines, response)
    if (found !== undefined) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}
