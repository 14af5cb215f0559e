/** Bees, prompts and invites that `hive init --with` adds to a colony. */
export const flows = ['ideation'] as const;
export type Flow = (typeof flows)[number];
