/** What a trace may limit beside its honey: US dollars, and tokens (docs/rules.md §3). */
export const reserveLimits = ['cost', 'tokens'] as const;
export type ReserveLimit = (typeof reserveLimits)[number];
