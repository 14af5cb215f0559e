/** Said before work is merged: people's own git would run what hive leaves out (docs/reliability.md I17). */
export const plantedWarning = (planted: readonly string[]): string =>
	planted.length === 0
		? ''
		: `git would run programs here that "hive init" has not accepted: ${planted.join(', ')}. hive leaves them out. Look at them; "hive init" accepts them.\n`;
