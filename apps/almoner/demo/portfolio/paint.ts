import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { portfolioPictures } from './art/pictures.ts'

// Paints the portfolio's pictures beside its texts: `node apps/almoner/demo/portfolio/paint.ts`.
// What is there is painted over, and what no sector or organization names any more goes.

const pictures = Object.entries(portfolioPictures())

for (const folder of ['logo', 'visual']) {
  rmSync(join(import.meta.dirname, folder), { recursive: true, force: true })
  mkdirSync(join(import.meta.dirname, folder))
}
for (const [path, svg] of pictures) writeFileSync(join(import.meta.dirname, path), svg)
