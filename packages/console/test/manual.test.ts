import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { en } from '../src/manual/en.ts'
import { fr } from '../src/manual/fr.ts'
import { en as english } from '../src/messages/en.ts'
import { fr as french } from '../src/messages/fr.ts'
import { DOCUMENT, writtenManual } from './support/write-manual.ts'

const textsOf = (messages: object): ReadonlyArray<string> =>
  Object.values(messages).flatMap((value) =>
    typeof value === 'string' ? [value] : typeof value === 'object' ? textsOf(value) : [],
  )

for (const [language, manual, messages] of [
  ['en', en, english],
  ['fr', fr, french],
] as const)
  t.test(`M8: the manual in ${language} names buttons and pages as they are named`, async (t) => {
    const known = new Set(textsOf(messages))
    for (const { title, text } of Object.values(manual))
      for (const [, words = ''] of text
        .flat()
        .join(' ')
        .matchAll(/\*\*(.+?)\*\*/g))
        t.ok(known.has(words), `${title}: ${words}`)
  })

t.test('docs/console.md has the manual as the console shows it; write-manual.ts writes it', async (t) => {
  const path = join(import.meta.dirname, '../../..', DOCUMENT)
  const document = readFileSync(path, 'utf8')
  t.equal(document, writtenManual(document))
  for (const [, picture = ''] of document.matchAll(/\]\((screenshots\/[^)]+)\)/g))
    t.ok(readFileSync(join(path, '..', picture)).length > 0)
})
