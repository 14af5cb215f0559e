import {describe, expect, test} from 'vitest';
import {type Ending, endingOf} from '../../source/dispatch/outcome.ts';
import type {RunState} from '../../source/ports/processes.ts';

const ended = (exitCode: number, signal?: string): RunState => ({
	...{state: 'ended', exitCode, finishedAt: '2026-01-01T00:00:00.000Z'},
	...(signal === undefined ? {} : {signal}),
});
const killed = ended(137, 'SIGKILL');

describe('the summary of a run that a signal ended', () => {
	const failed = (error: string): Ending => ({status: 'failed', exitCode: 137, error});

	test('names the signal', () => {
		const words = 'killed by signal 9 (SIGKILL)';
		expect(endingOf({}, killed, '', {summary: 'so far'})).toEqual(failed(words));
	});

	test('names the signal after the error that the agent reported', () => {
		const words = 'out of quota; killed by signal 9 (SIGKILL)';
		expect(endingOf({}, killed, '', {summary: '', error: 'out of quota'})).toEqual(failed(words));
	});

	test('is the reason of the session, or the reason of the stop by hive', () => {
		const output = {summary: ''};
		expect(endingOf({interactive: true}, killed, '', output).error).toBe(
			'the program that held its terminal was ended by SIGKILL',
		);
		expect(endingOf({}, killed, 'enough', output)).toMatchObject({status: 'cancelled', error: 'enough'});
		expect(endingOf({}, killed, 'timed out', output)).toMatchObject({status: 'failed', error: 'timed out'});
	});
});

test('a run whose shell forwarded the signal of a command reports the exit code', () => {
	expect(endingOf({}, ended(137), '', {summary: ''}).error).toBe('exit code 137');
});
