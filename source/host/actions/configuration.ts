import * as z from 'zod/mini';
import {formatCount} from '../../domain/format-count.ts';
import {action, field} from './action.ts';

export const acceptConfiguration = action({
	id: 'configuration.accept',
	label: 'Accept',
	command: 'doctor --accept',
	progressLabel: 'Accepting',
	summary: 'Put changes below .hive/ in force that were made during a run or a merge.',
	description:
		'Such a change waits until a person accepts it. Only the shown changes are accepted; if anything changed since, nothing is.',
	shape: '{v, accepted: [<path>…]}',
	input: z.object({
		seen: field(z.string(), {
			summary: 'Name of the shown changes; if they changed since, nothing is accepted.',
			hint: '<name>',
		}),
	}),
	perform: async (context, input) => {
		const {acceptConfiguration: accept} = await import('../../actions/accept-configuration.ts');
		return accept(context, input);
	},
	done: ({accepted}) => [
		accepted.length === 0
			? 'No change below .hive/ waits for you.'
			: `${formatCount(accepted.length, 'file')} below .hive/ ${accepted.length === 1 ? 'is' : 'are'} in force as you saw ${accepted.length === 1 ? 'it' : 'them'}.`,
	],
});
