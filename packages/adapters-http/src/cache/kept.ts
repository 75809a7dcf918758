import type { Admitted } from '@almoner/domain'
import type { ReadyAnswer } from '../answers/ready.ts'

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
  /** Counts bytes that were put in. Once there are too many, all is forgotten. */
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
  /** As {@link version}, for who may do what alone. */
  readonly accessVersion: () => number
}

/** What is kept now, and how to forget it. */
export interface KeptNow {
  readonly present: () => Kept
  readonly callers: () => KeptCallers
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
 * What is kept of answers. All of it goes as soon as anything has been written: nobody has to know what each write changes for none
 * to be served that is out of date. And it goes with the minute: what depends on the day (C9) changes with one, since all time zones
 * are whole minutes apart; and no token is held for longer.
 */
export const makeKept = ({ bytes, version, accessVersion }: KeepingOptions, now: () => number): KeptNow => {
  const begin = (): Kept => {
    let used = 0
    const add = (more: number) => {
      used += more
      if (used > bytes) answers.forget()
    }
    return { doors: new Map(), answers: new Map(), add }
  }
  const answers = until(version, now, begin)
  const callers = until(accessVersion, now, (): KeptCallers => new Map())
  return {
    present: answers.present,
    callers: callers.present,
    forget: () => {
      answers.forget()
      callers.forget()
    },
  }
}
