import { fromDate, toCalendarDate } from '@internationalized/date'
import { useEffect, useReducer, useRef, useState } from 'react'
import { type StoredCopy, writeCopy } from '../../content/editor/copy-writer.ts'
import { useLeaveGuard } from '../../content/editor/use-save.ts'
import { type KeptCopy, useWorkingCopy } from '../../content/editor/working-copies.ts'
import type { Side } from '../../content/translation/pair-api.ts'
import { at } from '../../paths.ts'
import { changes, useAnswer } from '../../session/answers.ts'
import { newId } from '../../session/api.ts'
import { goTo } from '../../session/router.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { sendTimeOf } from '../../ui/send-time.ts'
import { type Announced, listAnnounced } from '../notifications-api.tsx'
import { monthText } from '../schedule.ts'
import { bodyOf, copyFields, type Draft, draftOfCopy, type SideDraft, toSchedule } from './draft.ts'
import { askPreview, type ComposerStart, type Preview, scheduleSide } from './load-composer.ts'

/** What the last question asks about: the notifications to schedule, with their recipients at this moment. */
export interface Question {
  readonly sides: ReadonlyArray<{
    readonly side: Side
    readonly preview: Preview
    /** The latest notification about the same publication in this language, if there was one, or will be. */
    readonly earlier: Announced | undefined
  }>
  readonly moment: Date
}

interface State {
  readonly draft: Draft
  readonly restoredAt: string | undefined
  readonly isBusy: boolean
  /** Whether all is scheduled, so that nothing is left to keep. */
  readonly isDone: boolean
  readonly question: Question | undefined
  /** What keeps notifications from being created, by language. */
  readonly errors: Readonly<Partial<Record<Side, Preview['errors']>>>
  readonly failure: unknown
}

const applyChange = (state: State, change: Partial<State>): State => ({ ...state, ...change })

/** A notification as it is scheduled: a repeated attempt has the same moment and key, and so is the same notification. */
interface Attempt {
  readonly text: string
  readonly moment: Date
  readonly key: string
}

/** The composer with its acts. */
interface Composer {
  readonly state: State
  readonly copy: KeptCopy
  /** Takes the draft of another tab. Returns a function that undoes this. */
  readonly adopt: (newer: StoredCopy) => () => void
  readonly setSide: (side: Side, change: Partial<SideDraft>) => void
  readonly setTime: (change: Partial<Draft['time']>) => void
  /** Goes back to the texts of the publication. Returns a function that undoes this. */
  readonly discard: () => () => void
  /** Checks the notifications, and asks the last question if nothing is wrong. */
  readonly ask: () => Promise<void>
  readonly answer: (isYes: boolean) => Promise<void>
}

/** Returns the moment of a draft; undefined if its day or time is none. */
const momentOf = ({ time }: Draft): Date | undefined =>
  time.when === 'now' ? new Date() : sendTimeOf(time)?.moment

/** Returns the draft to go back to. Sides that are scheduled already stay so. */
const freshAfter = ({ sides: { en, fr }, time }: Draft, { sides }: Draft): Draft => ({
  sides: { en: { ...en, doneId: sides.en.doneId }, fr: { ...fr, doneId: sides.fr.doneId } },
  time,
})

/** Returns the composer of notifications, whose text is kept on the server until they are scheduled. */
export const useComposer = ({
  key,
  fresh,
  draft,
  restoredAt,
  changes: changed,
  publications,
  counterpartId,
}: ComposerStart): Composer => {
  const { composer: words, editor } = useMessages()
  const { timeZone } = useSession().session
  const [state, change] = useReducer(applyChange, {
    draft,
    restoredAt,
    isBusy: false,
    isDone: false,
    question: undefined,
    errors: {},
    failure: undefined,
  })
  const current = useRef(state.draft)
  current.current = state.draft
  const attempts = useRef(new Map<Side, Attempt>())
  const isKept = !state.isDone && JSON.stringify(state.draft) !== JSON.stringify(fresh)
  const content = isKept
    ? { contentType: 'library' as const, baseETag: '', fields: copyFields(state.draft) }
    : undefined
  const kept = useWorkingCopy(key, content, restoredAt)
  useLeaveGuard(kept.state, false, editor.leave)

  const setDraft = (next: Draft) => {
    current.current = next
    change({ draft: next })
  }
  const setSide = (side: Side, part: Partial<SideDraft>) => {
    const { sides, time } = current.current
    // A language that is added to a notification never takes a time that is past: it would go out at once.
    const isAdded = part.isSent === true && Object.keys(changed).length > 0 && changed[side] === undefined
    const isPast = time.when === 'at' && (momentOf(current.current)?.getTime() ?? 0) <= Date.now()
    setDraft({
      sides: { ...sides, [side]: { ...sides[side], ...part } },
      time: isAdded && isPast ? { ...time, day: '' } : time,
    })
    change({ errors: {}, failure: undefined })
  }

  const attemptOf = (side: Side, moment: Date): Attempt => {
    const text = JSON.stringify([current.current.sides[side], current.current.time])
    const before = attempts.current.get(side)
    if (before?.text === text) return before
    const attempt = { text, moment, key: newId() }
    attempts.current.set(side, attempt)
    return attempt
  }

  /** Returns the notification that a side changes: its own, or that of the other language if this one takes its place. */
  const changedBy = (side: Side, all: Question['sides']) => {
    const [only, ...others] = (['en', 'fr'] as const).filter((one) => changed[one] !== undefined)
    if (changed[side] !== undefined || only === undefined || others.length > 0) return changed[side]
    const { en, fr } = current.current.sides
    const isTaken =
      all.some((one) => one.side === only) || [en.doneId, fr.doneId].includes(changed[only]?.id ?? '')
    return isTaken ? undefined : changed[only]
  }

  const otherId = (side: Side): string => {
    const { en, fr } = current.current.sides
    return (side === 'en' ? fr.doneId : en.doneId) || counterpartId
  }

  const schedule = async ({ sides, moment }: Question): Promise<void> => {
    const isPair = changed.en !== undefined && changed.fr !== undefined
    // The last one moves both (G14), so that the tag of the other is still the one that was read.
    const movesOf = (side: Side) => (side === sides.at(-1)?.side ? 'both' : 'none')
    for (const { side } of sides) {
      const doneId = await scheduleSide(side, current.current.sides[side], {
        ...attemptOf(side, moment),
        changes: changedBy(side, sides),
        counterpartId: otherId(side),
        moves: isPair ? movesOf(side) : 'own',
      })
      setSide(side, { doneId })
    }
  }

  const check = async (): Promise<void> => {
    const due = toSchedule(current.current)
    const moment = momentOf(current.current)
    if (due.length === 0 || moment === undefined) return
    const ids = [publications.en?.itemId, publications.fr?.itemId].filter((id) => id !== undefined)
    const announced = (await listAnnounced(ids)).filter(
      ({ id, state }) => state !== 'unscheduled' && changed.en?.id !== id && changed.fr?.id !== id,
    )
    const sides = await Promise.all(
      due.map(async (side) => {
        const { data } = await askPreview(bodyOf(side, current.current.sides[side]))
        return { side, preview: data.preview, earlier: announced.find(({ lang }) => lang === side) }
      }),
    )
    const errors = Object.fromEntries(
      sides.flatMap(({ side, preview }) => (preview.errors.length > 0 ? [[side, preview.errors]] : [])),
    )
    if (Object.keys(errors).length > 0) change({ errors })
    else change({ question: { sides, moment } })
  }

  /** Does an act that takes a while, one at a time. */
  const run = async (act: () => Promise<void>): Promise<void> => {
    change({ isBusy: true, errors: {}, failure: undefined, question: undefined })
    try {
      await act()
    } catch (failure) {
      change({ failure })
    } finally {
      change({ isBusy: false })
      changes.report()
    }
  }

  return {
    state,
    copy: kept,
    adopt: ({ fields }) => {
      const before = current.current
      setDraft(draftOfCopy(fields, fresh))
      return () => setDraft(before)
    },
    setSide,
    setTime: (part) => setDraft({ ...current.current, time: { ...current.current.time, ...part } }),
    discard: () => {
      const before = current.current
      setDraft(freshAfter(fresh, before))
      change({ restoredAt: undefined, errors: {}, failure: undefined })
      return () => change({ draft: before, restoredAt })
    },
    ask: () => run(check),
    answer: async (isYes) => {
      const { question } = state
      if (question === undefined || !isYes) return change({ question: undefined })
      await run(async () => {
        await schedule(question)
        change({ isDone: true })
        // The page is left at once, so nothing else would delete the copy.
        await writeCopy(key, undefined)
        showToast({ text: words.done })
        goTo(
          at(
            `/console/notifications?month=${monthText(toCalendarDate(fromDate(question.moment, timeZone)))}`,
          ),
        )
      })
    },
  }
}

/** Milliseconds after the last key until a text counts as settled. */
const PAUSE = 300

/** Returns a text once it has not changed for a moment. */
export const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Returns size and recipients of a notification while it is written. The latest stay until the next are there. */
export const usePreview = (side: Side, draft: SideDraft): Preview | undefined => {
  const body = useSettled(JSON.stringify(bodyOf(side, draft)))
  const { answer } = useAnswer(`preview ${body}`, (signal) => askPreview(JSON.parse(body), signal))
  const latest = useRef<Preview>(undefined)
  latest.current = answer?.data.preview ?? latest.current
  return latest.current
}
