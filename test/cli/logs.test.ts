import {describe, expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {Result} from '../../source/cli/command.ts';
import {logs} from '../../source/cli/commands/logs.ts';
import type {Session} from '../../source/cli/session.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, item, planOf} from '../helpers/events.ts';
import {sessionWith} from './session-with.ts';

const nowhere: Session['open'] = () => Promise.reject(new Error('It went on to the colony.'));

/** What `hive logs run1` with these flags answers on a terminal. */
const onTerminal = async (flags: Readonly<Record<string, readonly string[]>>, open = nowhere) => {
	const prepared = logs.prepare({flags, words: ['run1'], problems: []});
	if (!prepared.ok) return prepared;
	const stdout: Session['stdout'] = {isTTY: true, columns: 80, color: true};
	return prepared.value.run(sessionWith({stdout, open}));
};

/** A colony in which `run1` was claimed and has written nothing. */
const silent: Session['open'] = async () => {
	const bus = createMemoryBus({clock: createSystemClock()});
	for (const event of [planOf(item('a')), claimOf('run1', 'a')])
		await bus.append(event, {id: event.payload.kind});
	// Only what reading a log needs.
	return {bus, checkout: 'here', colony: await colonyFrom({}), files: filesInMemory().files} as ActionContext;
};

const textsOf = async (result: Result): Promise<unknown[]> => {
	const texts: unknown[] = [];
	if ('lines' in result) for await (const {text} of result.lines) texts.push(text);
	return texts;
};

describe('hive logs --raw', () => {
	it('is refused on a terminal, with the ways that are left', async () => {
		expect(await onTerminal({raw: ['true']})).toMatchObject({
			ok: false,
			refusal: {code: 'usage', hint: 'Send it to a file or a pipe, or add --yes.'},
		});
	});

	it('goes on when the person insists', async () => {
		await expect(onTerminal({raw: ['true'], yes: ['true']})).rejects.toThrow('went on');
	});
});

describe('hive logs', () => {
	it('says on a terminal that a run has written nothing', async () => {
		const outcome = await onTerminal({}, silent);
		expect(outcome.ok && (await textsOf(outcome.value))).toEqual([
			[{text: 'The run has written nothing to stdout.', style: 'dim'}],
		]);
	});
});
