/** Of node. A holder waits most of its life: it is to be small, not quick. */
export const holderFlags = ['--max-semi-space-size=1', '--optimize-for-size', '--v8-pool-size=0'];
