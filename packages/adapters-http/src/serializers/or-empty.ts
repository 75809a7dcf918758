import * as O from 'fp-ts/lib/Option.js'

/** Text that is absent is `""`, never null and never left out (C2, G1). */
export const orEmpty: (text: O.Option<string>) => string = O.getOrElse(() => '')
