/** The text form of a place that is a text or a number itself (C11). */
export const asText = (place: string | number): string => String(place)
