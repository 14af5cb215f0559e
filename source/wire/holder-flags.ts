/** Flags of node. A holder waits most of its life, so it must be small rather than fast. */
export const holderFlags = ['--max-semi-space-size=1', '--optimize-for-size', '--v8-pool-size=0'];
