import { churn, idle, slowBodies, slowHeads, slowReaders } from './connections.ts'
import {
  deepJson,
  guessing,
  gzipBomb,
  hugeForm,
  imageBomb,
  largeImages,
  longHeaders,
  manyHeaders,
  manyNames,
  manyParts,
  overload,
  pipelined,
} from './requests.ts'
import type { Attack } from './target.ts'

/** Each attack, and for how many seconds: long enough to see connections being closed. */
export const ATTACKS: Readonly<Record<string, readonly [Attack, number]>> = {
  'header fields of 70 KB': [manyHeaders, 10],
  'header fields of 200 KB': [longHeaders, 10],
  'JSON 65,000 deep': [deepJson, 10],
  'JSON of 14,000 names': [manyNames, 10],
  'forms of 43,000 fields': [hugeForm, 10],
  'multipart of 15,000 parts': [manyParts, 10],
  'gzip of 10 MB': [gzipBomb, 10],
  'PNG of 400 million pixels': [imageBomb, 10],
  'JPEGs of 16 million pixels': [largeImages, 20],
  'guessed secrets': [guessing, 10],
  'pipelined requests, unread': [pipelined, 10],
  'a connection for each request': [churn, 10],
  'more readers than can be served': [overload, 20],
  '10,000 idle connections': [idle, 90],
  'heads that never end': [slowHeads, 120],
  'readers that never read': [slowReaders, 75],
  'bodies that never end': [slowBodies, 360],
}
