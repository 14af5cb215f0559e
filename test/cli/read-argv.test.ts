import {describe, expect, it} from 'vitest';
import {command} from '../../source/cli/command.ts';
import {boolean, choice, commonFlags, duration, integer, repeatable, text} from '../../source/cli/flags.ts';
import {readArgv} from '../../source/cli/read-argv.ts';
import {accepted} from '../../source/domain/errors.ts';
import {sessionWith} from './session-with.ts';

const sample = command({
	path: 'task create',
	summary: 'Create a task.',
	flags: {
		trace: text({summary: 'The trace.', required: true}),
		body: text({summary: 'What to do.', short: 'b'}),
		dependsOn: repeatable({summary: 'Tasks that come first.'}),
		review: choice({summary: 'Who reviews.', choices: ['none', 'required', 'final']}),
		amount: integer({summary: 'Units.', min: 1, max: 12}),
		timeout: duration({summary: 'How long.'}),
		autorun: boolean({summary: 'Start it.'}),
		merge: boolean({summary: 'Leave the branch.', initially: true}),
	},
	arguments: {
		role: text({summary: 'The bee.'}),
		rest: repeatable({summary: 'Whatever follows.'}),
	},
	run: async input => accepted({json: input, text: ''}),
});

/** Returns the values of the sample command without the common flags, or the problems. */
const read = async (...argv: string[]) => {
	const prepared = sample.prepare(readArgv(argv, {...sample.flags, ...commonFlags}));
	if (!prepared.ok) return prepared.refusal.details.map(({path, message}) => `${path} ${message}`);
	const outcome = await prepared.value.run(sessionWith({}));
	return outcome.ok && 'json' in outcome.value ? outcome.value.json : undefined;
};

describe('a command line', () => {
	it('gives each flag the type of its declaration', async () => {
		expect(
			await read(
				'builder',
				'--trace',
				't1',
				'-b',
				'fix it',
				'--depends-on',
				'a',
				'--depends-on=b',
				'--review',
				'final',
				'--amount',
				'3',
				'--timeout',
				'1h30m',
				'--autorun',
				'x',
				'y',
			),
		).toEqual({
			trace: 't1',
			body: 'fix it',
			dependsOn: ['a', 'b'],
			review: 'final',
			amount: 3,
			timeout: 5_400_000,
			autorun: true,
			merge: true,
			role: 'builder',
			rest: ['x', 'y'],
			json: false,
			help: false,
			path: undefined,
			color: undefined,
		});
	});

	it('leaves missing flags undefined, false or empty', async () => {
		expect(await read('--trace', 't1')).toMatchObject({
			body: undefined,
			amount: undefined,
			autorun: false,
			dependsOn: [],
			role: undefined,
			rest: [],
		});
	});

	it.each([
		['a lone dash', ['--body', '-'], '-'],
		['text that starts with a dash', ['--body', '- first\n- second'], '- first\n- second'],
		['a negative number', ['--body', '-3'], '-3'],
		['anything after an equals sign', ['--body=--trace'], '--trace'],
		['an equals sign of its own', ['--body', 'a=b'], 'a=b'],
		['quotes, as they are', ['--body', '"quoted"'], '"quoted"'],
		['what looks like a number, as written', ['--body', '007'], '007'],
		['empty text', ['--body', ''], ''],
		['empty text after an equals sign', ['--body='], ''],
		['quotes after an equals sign', ['--body="q"'], '"q"'],
		['lines after an equals sign', ['--body=a\n=b'], 'a\n=b'],
	])('takes %s as a value', async (_, argv, body) => {
		expect(await read('--trace', 't1', ...argv)).toMatchObject({body});
	});

	it('takes everything after -- as arguments', async () => {
		expect(await read('--trace', 't1', '--', '--body', '-x')).toMatchObject({role: '--body', rest: ['-x']});
	});

	it('takes a negative number as an argument', async () => {
		expect(await read('--trace', 't1', '-1001', 'x', '-7')).toMatchObject({role: '-1001', rest: ['x', '-7']});
	});

	it('reports every problem at once', async () => {
		expect(
			await read('--revew', 'x', '--review', 'maybe', '--amount', '13', '--timeout', 'soon', '--body'),
		).toEqual([
			'--revew is not a flag of this command',
			'--body needs a value',
			'--trace is required',
			'--review must be one of none, required, final',
			'--amount must be 12 or less',
			'--timeout must be a duration such as 90s, 5m or 2h',
		]);
	});

	it.each([
		['an amount that is not whole', ['--amount', '1.5'], '--amount must be a whole number'],
		['an amount that is too small', ['--amount', '0'], '--amount must be 1 or more'],
		['a flag given twice', ['--body', 'a', '-b', 'b'], '--body was given more than once'],
		['a flag where a value belongs', ['--body', '--autorun'], '--body needs a value'],
		['letters that are no flags', ['-x'], '-x is not a flag of this command'],
		['a dotted flag', ['--body.x', 'y'], '--body.x is not a flag of this command'],
	])('refuses %s', async (_, argv, problem) => {
		expect(await read('--trace', 't1', ...argv)).toContain(problem);
	});

	it('names the closest flag for a misspelled one', () => {
		const {problems} = readArgv(['--depend-on', 'x'], sample.flags);
		expect(problems).toMatchObject([{hint: 'Did you mean --depends-on?'}]);
	});

	it('takes a lone dash as a word, not as a flag', async () => {
		expect(await read('--trace', 't1', '-')).toMatchObject({role: '-'});
	});

	it('turns a switch off with --no-', async () => {
		expect(await read('--trace', 't1', '--no-autorun', '--no-merge')).toMatchObject({
			autorun: false,
			merge: false,
		});
	});
});

describe('arguments of a command line', () => {
	it('are refused beyond the declared ones', () => {
		const none = command({...described, flags: {}, run: async () => accepted({json: {}, text: ''})});
		const prepared = none.prepare({flags: {}, words: ['extra'], problems: []});
		expect(prepared).toMatchObject({
			refusal: {code: 'usage', details: [{path: 'extra', message: 'is one argument too many'}]},
		});
	});

	it('are refused in one line, however many extra words there are', () => {
		const none = command({...described, flags: {}, run: async () => accepted({json: {}, text: ''})});
		expect(none.prepare({flags: {}, words: ['one', 'two', 'three'], problems: []})).toMatchObject({
			refusal: {details: [{path: 'one two three', message: 'are 3 arguments too many'}]},
		});
	});

	it('are required if declared so', () => {
		const one = command({
			...described,
			flags: {},
			arguments: {trace: text({summary: 'The trace.', required: true})},
			run: async ({trace}) => accepted({json: {trace}, text: trace}),
		});
		expect(one.prepare({flags: {}, words: [], problems: []})).toMatchObject({
			refusal: {details: [{path: '<trace>', message: 'is required'}]},
		});
	});
});

const described = {path: 'sample', summary: 'A sample.'};
