import * as z from 'zod/mini';
import {formatCount} from '../../domain/format-count.ts';
import {action, field} from './action.ts';

export const acceptConfiguration = action({
	id: 'configuration.accept',
	label: 'Accept',
	command: 'doctor --accept',
	progressLabel: 'Accepting',
	summary: 'Put changes below .hive/ in force that came while a run or a merge was under way.',
	description:
		'Such a change waits until a person has seen it. What is accepted is what was shown: where anything was changed since, nothing is.',
	shape: '{v, accepted: [<path>…]}',
	input: z.object({
		seen: field(z.string(), {
			summary: 'Name of the changes that were shown; with others nothing is accepted.',
			hint: '<name>',
		}),
	}),
	perform: async (context, input) => {
		const {acceptConfiguration: accept} = await import('../../actions/accept-configuration.ts');
		return accept(context, input);
	},
	done: ({accepted}) => [
		accepted.length === 0
			? 'Nothing below .hive/ waits for you.'
			: `${formatCount(accepted.length, 'file')} below .hive/ ${accepted.length === 1 ? 'is' : 'are'} in force as you saw ${accepted.length === 1 ? 'it' : 'them'}.`,
	],
});
