import type { Challenge, Dataset, Introduction, Program, Summary } from '@almoner/domain'
import * as t from 'io-ts'
import { int, LANG, orEmpty } from './codecs.ts'

/** An introduction as callers see it. */
export const IntroductionJson = t.strict({
  introduction: t.strict({ id: t.string, lang: LANG, text: t.string }),
})

export const encodeIntroduction = ({
  organization,
  lang,
  text,
}: Introduction): t.TypeOf<typeof IntroductionJson> => ({ introduction: { id: organization, lang, text } })

/** A summary as callers see it. */
export const SummaryJson = t.strict({
  summary: t.strict({ id: t.string, lang: LANG, text: t.string, highlight: t.string }),
})

export const encodeSummary = ({
  organization,
  lang,
  text,
  highlight,
}: Summary): t.TypeOf<typeof SummaryJson> => ({
  summary: { id: organization, lang, text, highlight: orEmpty(highlight) },
})

/** A program as callers see it. The wrapper is `programs`, as the interface has it (H3). */
export const ProgramJson = t.strict({
  programs: t.strict({ id: t.string, lang: LANG, programTitle: t.string, programDescription: t.string }),
})

export const encodeProgram = ({
  organization,
  lang,
  title,
  description,
}: Program): t.TypeOf<typeof ProgramJson> => ({
  programs: { id: organization, lang, programTitle: title, programDescription: description },
})

/** A challenge as callers see it: the id is its own number. */
export const ChallengeJson = t.strict({
  challenge: t.strict({ id: t.Int, lang: LANG, text: t.string, highlight: t.string }),
})

export const encodeChallenge = ({
  id,
  lang,
  text,
  highlight,
}: Challenge): t.TypeOf<typeof ChallengeJson> => ({
  challenge: { id: int(id), lang, text, highlight: orEmpty(highlight) },
})

/** A dataset as callers see it. */
export const DatasetJson = t.strict({
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

export const encodeDataset = (dataset: Dataset): t.TypeOf<typeof DatasetJson> => ({
  dataset: {
    id: dataset.organization,
    year: int(dataset.year),
    beneficiaries: int(dataset.beneficiaries),
    ageFrom: orEmpty(dataset.ageFrom),
    ageTo: orEmpty(dataset.ageTo),
    staffHeadcount: int(dataset.staffHeadcount),
    budget: int(dataset.budget),
    budgetCurrency: dataset.budgetCurrency,
    vrVideoUrl: orEmpty(dataset.vrVideoUrl),
  },
})
