import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../styles')

/** The parts of each style sheet, in order. */
const SHEETS = {
  app: [
    'base',
    'shell',
    'controls',
    'lists',
    'editor',
    'desk',
    'history',
    'charts',
    'portfolio',
    'notifications',
    'composer',
    'managers',
    'operations',
    'overlays',
  ],
  'sign-in': ['base', 'sign-in'],
} as const

/** Returns a style sheet of the console without comments and indentation. */
export const styleSheet = (name: keyof typeof SHEETS): string =>
  SHEETS[name]
    .map((part) => readFileSync(join(FOLDER, `${part}.css`), 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
    .trim()
