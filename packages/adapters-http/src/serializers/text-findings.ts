import {
  FINDING_KINDS,
  FINDING_SUBJECTS,
  type NamedTextFinding,
  type TextFindingList,
} from '@almoner/domain/portfolio'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, under } from './codecs.ts'

/** A text of the portfolio that lacks a language or its highlight; `challenge` is the number of the challenge, where it is one (H1). */
export const TextFindingJson = under('finding', {
  about: literals(FINDING_SUBJECTS),
  id: t.string,
  name: t.string,
  lang: LANG,
  kind: literals(FINDING_KINDS),
  challenge: t.union([t.Int, t.null]),
})

/** Findings about texts: the first thousand, with the number of all. */
export const TextFindingsJson = t.strict({ findings: t.array(TextFindingJson), findingCount: t.Int })

/** Writes a finding about a text. */
export const encodeTextFinding = ({
  finding,
  name,
}: NamedTextFinding): t.OutputOf<typeof TextFindingJson> => ({
  finding: {
    about: finding.about,
    id: finding.id,
    name,
    lang: finding.lang,
    kind: finding.kind,
    challenge: O.toNullable(O.map(int)(finding.challenge)),
  },
})

/** Writes findings about texts. */
export const encodeTextFindings = ({
  findings,
  count,
}: TextFindingList): t.OutputOf<typeof TextFindingsJson> => ({
  findings: findings.map(encodeTextFinding),
  findingCount: int(count),
})
