import { join } from 'node:path'
import sharp from 'sharp'
const OUT = process.env['OUT'] ?? '/work/camp/desk53/shots'
for (const name of process.argv.slice(2)) {
  const parts = await Promise.all(['en', 'fr'].map(async (lang) => sharp(join(OUT, `${name}-${lang}.png`)).extract({ left: 0, top: 0, width: 1400, height: Math.min(1500, (await sharp(join(OUT, `${name}-${lang}.png`)).metadata()).height ?? 0) }).resize({ width: 980 }).toBuffer()))
  const sizes = await Promise.all(parts.map((p) => sharp(p).metadata()))
  const height = Math.max(...sizes.map((s) => s.height ?? 0))
  await sharp({ create: { width: 1970, height, channels: 3, background: '#f0f' } }).composite([{ input: parts[0]!, left: 0, top: 0 }, { input: parts[1]!, left: 990, top: 0 }]).png({ palette: true }).toFile(join(OUT, `both-${name}.png`))
}
