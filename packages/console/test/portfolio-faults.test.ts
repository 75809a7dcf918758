import t from 'tap'
import { faultText } from '../src/messages/fr/portfolio-faults.ts'

/** Sentences of the server about bad rows and files, with the names that a file may have in them. */
const SENTENCES = [
  'text is required',
  'name must have at most 200 characters',
  'text must not contain U+0000 or lone surrogates',
  'website must not hold a user name or password',
  'website must be an absolute http or https URL',
  'name must be a single value',
  'lang must be given once',
  'lang must be en or fr',
  'since must be a whole number from 1 to 9999',
  'budgetCurrency must be three capital letters',
  'id must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
  'id must not be summary, which is part of a path',
  'id is no organization of this portfolio',
  'id belongs to the organization acme already',
  'lang repeats challenge 7 in en',
  'en is required where fr is missing',
  'sectors must be identifiers of sectors',
  'sectors names the unknown sector poetry',
  'sectors names health twice',
  'logo must be the name of a file, without a folder',
  'logo must be an SVG, PNG or JPEG by its content',
  'logo must not be in CMYK colours',
  'logo must not be animated',
  'logo names no file in logo/',
  'visual names visual/folder, which is a folder',
  'visual names visual/large.svg, which has more than 10 MiB',
  'visual does not decode whole',
  'visual has too many bytes',
  'visual is too large: 9000 by 8000 pixels',
  'visual has changed while it was read',
  'budget is no column of organizations',
  'title is unknown here',
  'organisations is no table of a portfolio',
  'organizations.json or organizations.csv is required',
  'column 5 has no name',
  'lacks the column text',
  'must begin with the names of its columns: id, lang, text',
  'must be an object',
  'must be an object with name',
  'must be an object with name and tables',
  'must be an array of rows',
  'has 4 fields where the head has 3',
  'has more than 64 MiB',
  'has more than 5000 files',
  'has the file logo/a.svg twice',
  'the quotes of this row are not as RFC 4180 has them',
  'stands beside programs.json: keep one of the two',
  'is no JSON from here on: close brace expected',
  'is no table of a portfolio',
  'is no text in UTF-8',
  'is not there',
  'is empty',
  'is a folder',
]

t.test('M8: the sentences of the server about a portfolio are French in the French console', async (t) => {
  for (const sentence of SENTENCES) {
    const french = faultText(sentence)
    t.notMatch(french, /\b(?:must|is|has|names|lacks|the|where|which|repeats)\b/, sentence)
    t.notMatch(french, /\$\d/, sentence)
  }
})
