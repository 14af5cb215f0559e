/** Keys with the same meaning as in the dashboard. */
export const actionKeys = {
	'proposal.approve': 'a',
	'proposal.reject': 'x',
	'plan.accept': 'a',
	'plan.return': 'x',
	'plan.edit': 'O',
	'proposal.update': 'u',
	'invite.accept': 'a',
	'invite.reject': 'x',
	'task.retry': 't',
	'bee.retry': 't',
	'landing.cancel': 'L',
	'landing.retry': 'R',
	'forge.send': 'S',
	'energy.add': '+',
	kill: 'K',
	'session.stop': 'K',
	'cue.run': 'c',
	'bee.chat': 'C',
	'configuration.accept': 'F',
} as const;

/** The key of an action, if it has one. */
export const keyOf = (id: string): string | undefined => (actionKeys as Readonly<Record<string, string>>)[id];

/** The rows of the keyboard help. */
export const keyRows = [
	['1 – 9', 'the screens'],
	['[ ]', 'the screen before, the next; in a review the hunk'],
	['{ }', 'in a review the file before, the next'],
	['j k ↓ ↑', 'the next row, the one before'],
	['g G', 'the first row, the last'],
	['Enter', 'open it'],
	['Esc', 'back'],
	['a', 'approve, accept'],
	['x', 'reject, send a plan back'],
	['O', 'edit a plan that waits'],
	['u', 'update the work from its base'],
	['t', 'retry'],
	['L', 'take an approved merge out of the landing queue'],
	['R', 'run the checks of what did not land again'],
	['S', 'send failed checks and comments of a pull request to the agent'],
	['+', 'add honey'],
	['K', 'kill the trace, stop the session'],
	['c', 'start work'],
	['C', 'talk with a bee'],
	['F', 'show and accept what was changed below .hive/'],
] as const;
