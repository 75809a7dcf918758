import type { Challenge, Dataset, Introduction, Program, Summary } from '@almoner/domain'
import * as t from 'io-ts'
import { whole } from './int.ts'
import { LANG } from './literals.ts'
import { orEmpty } from './or-empty.ts'

/** An introduction as callers see it. */
export const IntroductionAnswer = t.strict({
  introduction: t.strict({ id: t.string, lang: LANG, text: t.string }),
})

export const encodeIntroduction = ({
  organization,
  lang,
  text,
}: Introduction): t.TypeOf<typeof IntroductionAnswer> => ({ introduction: { id: organization, lang, text } })

/** A summary as callers see it. */
export const SummaryAnswer = t.strict({
  summary: t.strict({ id: t.string, lang: LANG, text: t.string, highlight: t.string }),
})

export const encodeSummary = ({
  organization,
  lang,
  text,
  highlight,
}: Summary): t.TypeOf<typeof SummaryAnswer> => ({
  summary: { id: organization, lang, text, highlight: orEmpty(highlight) },
})

/** A program as callers see it. The wrapper is `programs`, as the interface has it (H3). */
export const ProgramAnswer = t.strict({
  programs: t.strict({ id: t.string, lang: LANG, programTitle: t.string, programDescription: t.string }),
})

export const encodeProgram = ({
  organization,
  lang,
  title,
  description,
}: Program): t.TypeOf<typeof ProgramAnswer> => ({
  programs: { id: organization, lang, programTitle: title, programDescription: description },
})

/** A challenge as callers see it: the id is its own number. */
export const ChallengeAnswer = t.strict({
  challenge: t.strict({ id: t.Int, lang: LANG, text: t.string, highlight: t.string }),
})

export const encodeChallenge = ({
  id,
  lang,
  text,
  highlight,
}: Challenge): t.TypeOf<typeof ChallengeAnswer> => ({
  challenge: { id: whole(id), lang, text, highlight: orEmpty(highlight) },
})

/** A dataset as callers see it. */
export const DatasetAnswer = t.strict({
  dataset: t.strict({
    id: t.string,
    year: t.Int,
    beneficiaries: t.Int,
    ageFrom: t.string,
    ageTo: t.string,
    staffHeadcount: t.Int,
    budget: t.Int,
    budgetCurrency: t.string,
    vrVideoUrl: t.string,
  }),
})

export const encodeDataset = (dataset: Dataset): t.TypeOf<typeof DatasetAnswer> => ({
  dataset: {
    id: dataset.organization,
    year: whole(dataset.year),
    beneficiaries: whole(dataset.beneficiaries),
    ageFrom: orEmpty(dataset.ageFrom),
    ageTo: orEmpty(dataset.ageTo),
    staffHeadcount: whole(dataset.staffHeadcount),
    budget: whole(dataset.budget),
    budgetCurrency: dataset.budgetCurrency,
    vrVideoUrl: orEmpty(dataset.vrVideoUrl),
  },
})
