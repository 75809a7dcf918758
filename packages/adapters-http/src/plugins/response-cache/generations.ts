import type { Admitted } from '@almoner/domain'
import type { ReadyAnswer } from '../../responses/render.ts'

/** What an address and a token led to, as it went out. */
export interface Door {
  readonly caller: Admitted
  /** The pattern of the route. */
  readonly route: string
  readonly answer: ReadyAnswer
  /** The names and values of the answer's header fields by turns. The first is the request's id. */
  readonly fields: ReadonlyArray<string>
  /** Those of 304, where the answer has an ETag. */
  readonly unchanged: ReadonlyArray<string>
}

/**
 * What is kept while the data is the same and a minute lasts. Whatever is put in was read after this came about, so that it holds
 * for as long as this does.
 */
export interface Kept {
  /** By address, token and origin, as they were sent. */
  readonly doors: Map<string, Door>
  /** By route, kind of caller and parameters; those under way are waited for. Undefined where the answer is not one to be kept. */
  readonly answers: Map<string, Promise<ReadyAnswer | undefined>>
  /** Counts bytes that were put in. Once there are too many, all answers are forgotten. */
  readonly add: (bytes: number) => void
}

/**
 * Callers by token, kept while everybody's rights are the same and a minute lasts; those that are being looked up are waited for.
 * Undefined where there is none.
 */
export type KeptCallers = Map<string, Admitted | Promise<Admitted | undefined>>

/** What keeping answers rests on. */
export interface KeepingOptions {
  /** How many bytes of answers may be kept, about; 0: none. Who is behind a token is kept in any case. */
  readonly bytes: number
  /** A number that another one takes the place of once data may have changed. */
  readonly version: () => number
  /** As {@link version}, for who may do what alone. Whenever it changes, so does {@link version}. */
  readonly accessVersion: () => number
}

/** What is kept now. */
export interface KeptNow {
  /** Answers. */
  readonly present: () => Kept
  /** Who is behind a token. */
  readonly callers: () => KeptCallers
  /** Forgets all of it. */
  readonly forget: () => void
}

const MINUTE = 60_000

/** Keeps something until there is another version, or another minute. */
const until = <A>(version: () => number, now: () => number, make: () => A) => {
  let kept = make()
  let [known, minute] = [version(), Math.floor(now() / MINUTE)]
  return {
    present: (): A => {
      const [latest, current] = [version(), Math.floor(now() / MINUTE)]
      if (latest !== known || current !== minute) kept = make()
      known = latest
      minute = current
      return kept
    },
    forget: () => {
      kept = make()
    },
  }
}

/**
 * What is kept. All answers go as soon as anything has been written: nobody has to know what each write changes for none to be served
 * that is out of date. Callers stay while nothing but content is written, which is what is written most. And all goes with the minute:
 * what depends on the day (C9) changes with one, since all time zones are whole minutes apart; and no token is held for longer.
 */
export const makeKept = ({ bytes, version, accessVersion }: KeepingOptions, now: () => number): KeptNow => {
  const callers = until(accessVersion, now, (): KeptCallers => new Map())
  const begin = (): Kept => {
    // Where nobody shows a token any more, those of the last minute go with its answers.
    callers.present()
    let used = 0
    const add = (more: number) => {
      used += more
      if (used > bytes) answers.forget()
    }
    return { doors: new Map(), answers: new Map(), add }
  }
  const answers = until(version, now, begin)
  return {
    present: answers.present,
    callers: callers.present,
    forget: () => {
      answers.forget()
      callers.forget()
    },
  }
}
