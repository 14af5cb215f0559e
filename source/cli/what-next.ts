/** Lists what a person can do next with the demo's repository. */
export const formatNextSteps = (
	root: string,
	traceId: string,
	env: Readonly<Record<string, string | undefined>>,
): string => {
	const steps = [
		['git log --graph --oneline', 'what was merged'],
		['hive status', 'the colony'],
		[`hive replay ${traceId}`, 'everything that happened'],
		['hive', 'the dashboard again; "c" asks for more'],
	] as const;
	const maxWidth = Math.max(...steps.map(([command]) => command.length));
	return [
		`The demo repository is ${root}`,
		`  cd ${root}`,
		...steps.map(([command, meaning]) => `  ${command.padEnd(maxWidth)}   ${meaning}`),
		...(env.npm_lifecycle_event === undefined
			? []
			: ['Is hive not on your PATH yet? Run "npm link" here, once.']),
		'In a repository of your own: hive init, then hive.',
	].join('\n');
};
