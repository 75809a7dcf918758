/**
 * Returns the sum of all series of a metric in Prometheus's text format; undefined if there is none.
 * @param name as in the text: that of a histogram's count ends with `_count`
 */
export const totalIn = (text: string, name: string): number | undefined => {
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}
