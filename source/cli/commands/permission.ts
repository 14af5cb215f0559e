import {accepted, refuse} from '../../domain/errors.ts';
import {refuseForAgents} from '../../host/permissions.ts';
import {command} from '../command.ts';
import {integer} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const permissionList = command({
	path: 'permission list',
	summary: 'List the acts that agents may do without asking, as "hive answer --always" kept them.',
	flags: {},
	examples: ['permission list', 'permission list --json'],
	json: '{v, permissions: [{number, tool, arguments}]}',
	run: async (_, commandContext) => {
		const {permissions} = await commandContext.open();
		const kept = (await permissions?.list()) ?? [];
		const listed = kept.map((permission, index) => ({number: index + 1, ...permission}));
		return accepted({
			json: {permissions: listed},
			text: () =>
				listed.length === 0
					? 'No act is allowed for good.'
					: renderTable(
							['NUMBER', 'TOOL', 'ARGUMENTS'].map(title => ({title})),
							listed.map(({number, tool, arguments: given}) => [String(number), tool, given]),
							commandContext.stdout.columns,
						),
		});
	},
});

export const permissionRemove = command({
	path: 'permission remove',
	summary: 'Remove one of them: agents ask about it again.',
	flags: {},
	arguments: {
		number: integer({
			summary: 'Its number in "hive permission list".',
			hint: '<number>',
			required: true,
			min: 1,
		}),
	},
	examples: ['permission remove 1'],
	json: '{v, tool, arguments}',
	run: async ({number}, commandContext) => {
		const context = await commandContext.open();
		const refused = refuseForAgents(context);
		if (refused !== undefined) return refused;
		const removed = await context.permissions?.remove(number);
		if (removed === undefined)
			return refuse('permission_not_found', {message: `There is no permission ${number}.`});
		return accepted({json: removed, text: `Removed ${removed.tool} ${removed.arguments}.`});
	},
});
