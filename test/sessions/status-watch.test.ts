import {expect, it} from 'vitest';
import type {SessionStatus} from '../../source/domain/session-status.ts';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {createStatusWatch} from '../../source/sessions/status-watch.ts';
import {handClock} from './terminal-session.ts';

/** Creates a terminal whose program and person the test plays. */
const watched = () => {
	const {clock, pass} = handClock();
	const statuses: SessionStatus[] = [];
	const screen = createTerminalEmulator(
		{columns: 60, rows: 10},
		{scrollback: 0, onCalled: () => watch.called()},
	);
	const watch = createStatusWatch({clock, screen, onStatus: status => void statuses.push(status)});
	return {
		pass,
		call: watch.called,
		print: (text: string) => {
			screen.write(Buffer.from(text));
			watch.wrote();
		},
		type: (keys: string) => watch.typed(Buffer.from(keys)),
		resize: (columns: number, rows: number) => {
			screen.resize({columns, rows});
			watch.resized();
		},
		/** The states so far. */
		states: () => statuses.map(({state}) => state),
		now: () => statuses.at(-1),
	};
};

/** Prints a spinner that turns for some seconds. */
const spin = ({print, pass}: ReturnType<typeof watched>, seconds: number): void => {
	for (let at = 0; at < seconds * 2; at++) {
		print(`\r${'|/-\\'[at % 4]} Thinking`);
		pass(500);
	}
	print('\r\x1b[K');
};

it('a program that draws works, one that rests at a prompt waits since it came to rest', () => {
	const session = watched();
	spin(session, 30);
	expect(session.states()).toEqual(['working']);
	session.print('Which one? ');
	session.pass(10_000);
	expect(session.states()).toEqual(['working', 'waiting']);
	expect(session.now()).toEqual({
		...{state: 'waiting', since: '2030-01-01T00:00:30.000Z', lastRows: ['Which one?']},
	});
});

it('a program that rests without a prompt is idle', () => {
	const session = watched();
	session.print('Building the bees\r\n');
	session.pass(10_000);
	expect(session.now()).toMatchObject({state: 'idle', lastRows: []});
});

it.each([
	['the bell', '\x07'],
	['OSC 9', '\x1b]9;Your turn\x07'],
	['OSC 99', '\x1b]99;i=1:d=0;Your turn\x1b\\'],
	['OSC 777', '\x1b]777;notify;Bee;Your turn\x07'],
])('a program that calls by %s waits although it shows no prompt', (_name, call) => {
	const session = watched();
	session.print('Done with it\r\n');
	session.print(call);
	session.pass(1500);
	expect(session.now()).toMatchObject({state: 'waiting', lastRows: ['Done with it']});
});

it.each([
	['a progress bar', '\x1b]9;4;1;50\x07'],
	['a working directory', '\x1b]9;9;/tmp\x07'],
	['a question about notifications', '\x1b]99;i=1:p=?;\x1b\\'],
	['a bell that ends a title', '\x1b]2;Bees\x07'],
])('%s is no call', (_name, output) => {
	const session = watched();
	session.print(`Done with it\r\n${output}`);
	session.pass(10_000);
	expect(session.states()).toEqual(['working', 'idle']);
});

it('a hook that reports a question makes it wait, and a key answers it', () => {
	const session = watched();
	session.print('Working\r\n');
	session.pass(1000);
	session.call();
	session.pass(1500);
	expect(session.states()).toEqual(['working', 'waiting']);
	session.type('y');
	spin(session, 3);
	expect(session.states()).toEqual(['working', 'waiting', 'working']);
});

it('a program that works on after its call does not wait', () => {
	const session = watched();
	session.print('\x07');
	spin(session, 10);
	expect(session.now()).toMatchObject({state: 'working'});
});

it('typing at a prompt, a new size and a change of the focus are no work', () => {
	const session = watched();
	session.print('> ');
	session.pass(5000);
	const {since} = session.now() ?? {};
	for (const key of 'some words') {
		session.type(key);
		session.print(key);
		session.pass(300);
	}
	session.resize(80, 12);
	session.print('\x1b[2J\x1b[H> some words');
	session.type('\x1b[I');
	session.print('\x1b[2J\x1b[H> some other words');
	session.pass(5000);
	expect(session.states().slice(2)).not.toContain('working');
	expect(session.now()).toMatchObject({state: 'waiting', since});
});

it('the last rows are bounded, and have nothing that controls or misleads a terminal', () => {
	const session = watched();
	session.print(`\x1b[31mRed \u202eevil\u202c\x1b[0m ${'x'.repeat(50)}\r\n> `);
	session.pass(5000);
	expect(session.now()?.lastRows.join('\n')).toMatch(/^Red <U\+202E>evil/);
	session.type('\r');
	session.print(`\x1b[2J\x1b[H${Array.from({length: 10}, (_, at) => `Row ${at}`).join('\r\n')}?`);
	session.pass(5000);
	expect(session.now()?.lastRows).toEqual([
		'Row 2',
		'Row 3',
		'Row 4',
		'Row 5',
		'Row 6',
		'Row 7',
		'Row 8',
		'Row 9?',
	]);
});
