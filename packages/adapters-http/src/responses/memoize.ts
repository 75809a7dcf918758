/** Calls a function once for each object. Objects of the domain never change, so a result stays right while its object lives. */
export const memoize = <A extends object, B>(of: (value: A) => B): ((value: A) => B) => {
  const made = new WeakMap<A, { readonly value: B }>()
  return (value) => {
    const known = made.get(value)
    if (known !== undefined) return known.value
    const fresh = { value: of(value) }
    made.set(value, fresh)
    return fresh.value
  }
}
