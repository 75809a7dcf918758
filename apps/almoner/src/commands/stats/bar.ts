/** Parts of a full block, from none to seven eighths. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar for a number, as wide as its share of the greatest one, in eighths of a character. What is there at all shows. */
export const bar = (count: number, greatest: number, width: number): string => {
  if (count === 0) return ''
  const eighths = Math.max(1, Math.round((count / greatest) * width * PARTS.length))
  return '█'.repeat(Math.floor(eighths / PARTS.length)) + PARTS[eighths % PARTS.length]
}
