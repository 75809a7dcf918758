import * as E from 'fp-ts/lib/Either.js'
import type { Branded } from './brand.ts'
import { refined } from './refined.ts'

/** A hex colour of the form `#RRGGBB`, as it was given. */
export type Colour = Branded<string, 'Colour'>

const FORM = /^#[0-9A-Fa-f]{6}$/

/** Reads a colour; anything but `#` and six hex digits is refused. */
export const Colour = refined<Colour>(
  'Colour',
  (text) => (FORM.test(text) ? E.right(text as Colour) : E.left('must be a colour of the form #RRGGBB')),
  { type: 'string', description: 'Hex colour.', pattern: FORM.source, example: '#1F4E79' },
)
