/** The order of two texts by their code units, for sorting. */
export const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
