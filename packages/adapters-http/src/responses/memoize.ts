/**
 * The same function, called once for each object: objects of the domain never change, so that what was made of one stays right for as
 * long as somebody has it.
 */
export const remember = <A extends object, B>(of: (value: A) => B): ((value: A) => B) => {
  const made = new WeakMap<A, { readonly value: B }>()
  return (value) => {
    const known = made.get(value)
    if (known !== undefined) return known.value
    const fresh = { value: of(value) }
    made.set(value, fresh)
    return fresh.value
  }
}
