/** A setup step in an agent tool that a person does once, outside of hive, before the tool can work. */
export type FirstStep = {
	/** Matches the error that occurs until then. */
	readonly when: RegExp;
	/** The step; `$` stands for the tool's program. */
	readonly step: string;
};

/** The first matching error line of a failed tool, followed by its setup step. Undefined if none matches. */
export const firstStepIn = (
	errors: string,
	{program, steps}: {readonly program: string; readonly steps: readonly FirstStep[]},
): string | undefined => {
	for (const {when, step} of steps) {
		const line = errors.split('\n').find(errorLine => when.test(errorLine));
		if (line !== undefined)
			return `${line.trim().replace(/[.:]$/, '')}. To fix it, ${step.replaceAll('$', () => program)}.`;
	}
	return undefined;
};
