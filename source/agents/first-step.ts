/** What a person does once in an agent tool, outside of hive, before it can work. */
export type FirstStep = {
	/** Matches what the tool fails with until then. */
	readonly when: RegExp;
	/** What mends it, `$` for the tool's program. */
	readonly step: string;
};

/**
 * The line of a failed tool's own errors that asks for one of the steps, and that step; nothing where none
 * does.
 */
export const firstStepIn = (
	errors: string,
	{program, steps}: {readonly program: string; readonly steps: readonly FirstStep[]},
): string | undefined => {
	for (const {when, step} of steps) {
		const line = errors.split('\n').find(words => when.test(words));
		if (line !== undefined)
			return `${line.trim().replace(/[.:]$/, '')}. To mend it, ${step.replaceAll('$', () => program)}.`;
	}
	return undefined;
};
