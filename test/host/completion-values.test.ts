import {describe, expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {completionValues, type LiveList} from '../../source/host/completion-values.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, createEvent, item, planOf, traceId} from '../helpers/events.ts';

const colony = await colonyFrom({
	'colony.yaml': 'slug: shop\nsectors: {web: packages/web}\n',
	'bees/builder.yaml': 'adapter: script\ncommand: [sh]\n',
	'cues/go.yaml': 'emit: signal\ntype: SIGNAL\nkind: go\ndescription: Go ahead\n',
});
const other = 'trace-0000000000000002';

/** Devices are excluded: only the console has them. */
type TraceList = Exclude<LiveList, 'devices'>;

/** Returns the completion values in a sample colony, as `word meaning`. */
const offered = async (list: TraceList, trace?: string): Promise<string[]> => {
	const bus = createMemoryBus({clock: createSystemClock()});
	const said: NewEvent[] = [
		planOf(item('a'), item('b', 'a')),
		claimOf('run1', 'a'),
		{...planOf(item('c')), traceId: other},
		createEvent('INSIGHT', {kind: 'trace.title', title: 'Second'}, {traceId: other}),
	];
	for (const [at, event] of said.entries()) await bus.append(event, {id: String(at)});
	// The lists use only these fields.
	const context = {bus, colony} as ActionContext;
	const offers = await completionValues(
		{open: async () => context, configuration: async () => context},
		list,
		trace,
	);
	return offers.map(({word, means}) => `${word} ${means}`);
};

describe('the completion values for a shell', () => {
	it.each<[TraceList, string | undefined, string[]]>([
		['traces', undefined, [`${other} Second`, `${traceId} Title of a`]],
		['tasks', traceId, ['a running: Title of a', 'b planned: Title of b']],
		['tasks', 'nope', []],
		['runs', undefined, ['run1 builder running']],
		['bees', undefined, ['builder script']],
		['cues', undefined, ['go Go ahead']],
		['sectors', undefined, ['web packages/web']],
	])('are %s, newest first, of %s', async (list, trace, expected) => {
		expect(await offered(list, trace)).toEqual(expected);
	});

	it('contain no characters that are special in a shell', async () => {
		const words = [...(await offered('traces')), ...(await offered('tasks'))].map(
			offer => offer.split(' ', 1)[0],
		);
		expect(words.filter(word => !/^[\w.-]+$/.test(word ?? ''))).toEqual([]);
	});

	it('are empty outside a colony', async () => {
		const absent = () => Promise.reject(new Error('There is no colony here.'));
		expect(await completionValues({open: absent, configuration: absent}, 'traces', undefined)).toEqual([]);
		expect(await completionValues({open: absent, configuration: absent}, 'bees', undefined)).toEqual([]);
	});
});
