// A process of its own that attacks: node tools/stress/abuse/attacker.ts, told by messages what and whom.
import { ATTACKS } from './attacks.ts'
import type { Target } from './target.ts'

process.once('message', async ({ name, target }: { name: string; target: Target }) => {
  const [attack, seconds] = ATTACKS[name] ?? []
  if (attack === undefined || seconds === undefined) throw new Error(`no attack ${name}`)
  process.send?.(await attack(target, seconds), () => process.exit())
})
