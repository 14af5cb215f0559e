import {accepted} from '../../domain/errors.ts';
import {formatCount} from '../../domain/format-count.ts';
import type {BusMoved} from '../../host/host.ts';
import {command} from '../command.ts';
import {boolean, text} from '../flags.ts';

export const busMove = command({
	path: 'bus move',
	summary: "Move the colony's log to a server, or back into a file of this checkout.",
	description: `
		Copies events, snapshots and large texts, and compares the copies one by one. Then it closes the old log for every machine, and names the new one in config.yaml. Events keep their sequences and times.
		Refused while a reactor is alive, while a run is open, or if the target has another log. Run an interrupted move again to finish it.
		Other clones that name the old log get the new address when they open it. The old log stays closed on a server: once the log is moved back there, it takes what was added meanwhile. A closed file gets another name then.`,
	flags: {
		to: text({
			summary: 'Where to: nats://host:port or tls://host:port as HIVE_BUS_URL has it, or "embedded".',
			hint: '<url>',
			required: true,
		}),
		replace: boolean({
			summary:
				'Remove another closed log of this colony, or an unfinished copy, from there. An open log stays.',
		}),
	},
	examples: ['bus move --to nats://127.0.0.1:4222', 'bus move --to embedded'],
	json: '{v, from, to, events, values, texts, aside?, overridden}',
	run: async ({to, replace}, commandContext) => {
		const moved = await commandContext.moveBus({to, replace}, commandContext.signal);
		if (!moved.ok) return moved;
		const {aside, ...value} = moved.value;
		return accepted({json: {...value, ...(aside && {aside})}, text: sentencesOf(moved.value).join('\n')});
	},
});

const sentencesOf = ({from, to, events, values, texts, aside, overridden}: BusMoved): string[] => [
	`Moved ${formatCount(events, 'event')}, ${formatCount(values, 'value')} beside them and ${formatCount(texts, 'large text')} from ${from} to ${to}; config.yaml names it.`,
	...(aside === undefined ? [] : [`The file of the earlier log is now ${aside}.`]),
	...(overridden ? [`HIVE_BUS_URL names another bus and overrides config.yaml: unset it.`] : []),
	...(from === 'embedded' || to === 'embedded'
		? []
		: [`The old log stays at ${from}, closed. "hive bus move" back to there continues it.`]),
];
