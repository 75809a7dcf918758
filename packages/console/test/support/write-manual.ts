import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { en, type Manual, type Paragraph, type SectionName } from '../../src/manual/en.ts'
import { fr } from '../../src/manual/fr.ts'

// Writes the manual of the console into the document between its two marks, in both languages.

/** The path of the document in the repository. */
export const DOCUMENT = 'docs/console.md'

const [BEGIN, END] = ['<!-- The manual, by packages/console/test/support/write-manual.ts -->', '<!-- End -->']

const PICTURES: Readonly<Partial<Record<SectionName, string>>> = {
  desk: 'desk',
  list: 'bulk',
  translation: 'languages',
  proposals: 'proposal',
  queue: 'queue',
  composer: 'notification',
  portfolio: 'portfolio',
}

const wrapped = (text: string, indent = ''): string => {
  const lines: Array<string> = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${word}`.length > 150) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

const markdown = (paragraph: Paragraph): string =>
  typeof paragraph === 'string'
    ? wrapped(paragraph)
    : paragraph.map((item) => wrapped(item, '  ').replace(/^ {2}/, '- ')).join('\n')

const partOf = (title: string, manual: Manual, ending: string): string => {
  const sections = (Object.keys(en) as ReadonlyArray<SectionName>).map((name) => {
    const { title: heading, text } = manual[name]
    const picture = PICTURES[name]
    const image = picture === undefined ? [] : [`![${heading}](screenshots/console-${picture}${ending}.webp)`]
    return [`### ${heading}`, ...image, ...text.map(markdown)].join('\n\n')
  })
  return [`## ${title}`, ...sections].join('\n\n')
}

/** Returns the document with the manual as the console has it. */
export const writtenManual = (document: string): string => {
  const [before, rest = ''] = document.split(BEGIN)
  const after = rest.slice(rest.indexOf(END) + END.length)
  return `${before}${BEGIN}\n\n${partOf('Manual', en, '')}\n\n${partOf('Manuel', fr, '-fr')}\n\n${END}${after}`
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../../../..', DOCUMENT)
  writeFileSync(path, writtenManual(readFileSync(path, 'utf8')))
}
