/** Returns the token of a sign-in link, or the text itself if it has no fragment. */
export const tokenOf = (link: string): string => link.slice(link.indexOf('#') + 1).trim()
