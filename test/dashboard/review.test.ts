import {afterEach, describe, expect, it} from 'vitest';
import {updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted, type Outcome, refuse} from '../../source/domain/errors.ts';
import type {Preview} from '../../source/host/review/preview.ts';
import {noMemory, type ReviewMemory} from '../../source/host/review/review-memory.ts';
import type {LineOrigin} from '../../source/host/views/line-origin.ts';
import {buildTask, buildTrace, mapOf} from './build-trace.ts';
import {fixturePreview} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

const oauth = 'trace-019a8b7c3f9a1c02';
const path = 'migrations/014_oauth.sql';
const draft = {
	...{traceId: oauth, path, side: 'new' as const, line: 2, endLine: 2, blob: '5d6e7f8'},
	...{quote: '  add column oauth_id text;', text: 'Which length?'},
};

let driver: Driver;
afterEach(() => driver.stop());

/** Creates a review memory that keeps its content. */
const remembering = (start: Partial<ReviewMemory> = {}) => {
	let memory: ReviewMemory = {...noMemory, ...start};
	return {
		read: async () => memory,
		write: async (next: ReviewMemory) => {
			memory = next;
		},
	};
};

const review = async (
	columns: number,
	start: Partial<ReviewMemory> = {},
	patch = fixturePreview.patch,
	change: Partial<DashboardServices> = {},
) => {
	const reviews = remembering(start);
	driver = await drive(
		{columns, rows: 36},
		{reviews, preview: async () => accepted({...fixturePreview, patch}), ...change},
	);
	driver.press('3', 'tab', 'tab');
	await driver.settled();
	return reviews;
};

describe('the diff of a review', () => {
	it("shows files with their counts and numbered lines, without git's header", async () => {
		await review(120);
		expect(driver.screen()).toContain(`>${path} +4 -1`);
		expect(driver.screen()).toMatch(/ 2 {4}- {2}add column oauth text;/);
		expect(driver.screen()).toMatch(/ {4}2 \+ {2}add column oauth_id text;/);
		expect(driver.screen()).not.toContain('index 1a2b3c4');
		expect(driver.screen()).not.toContain('diff --git');
	});

	it('shows above it what its merge would change, or why it would be refused', async () => {
		const gate = buildTrace('trace-019a8b7c00000001', {
			title: 'Add a gate',
			tasks: [
				buildTask('a', {status: 'completed', review: 'none'}),
				buildTask('_review', {status: 'waiting_review', review: 'final'}),
			],
		});
		const shows = async (found: Partial<Preview>, words: RegExp): Promise<void> => {
			await review(120, {}, fixturePreview.patch, {
				follow: (_, call) => call({traces: mapOf(gate), events: []}),
				preview: async () => accepted({...fixturePreview, ...found}),
			});
			expect(driver.screen()).toMatch(words);
			driver.stop();
		};
		await shows({}, /Lands as +main, merges cleanly, merge commit "Add a gate"/);
		await shows({}, /! 2 unsaved files of yours will have both changes: notes\.md and 1/);
		await shows({unsaved: ['notes.md']}, /✗ 1 unsaved file of yours is in the way: notes\.md/);
		await shows({conflicts: ['a.ts', 'b.ts']}, /✗ It conflicts with main in 2 files: a\.ts and 1 more/);
		await shows({notTaken: ['vendor']}, /✗ Git does not take 1 path of the work: vendor/);
	});

	it('splits joined emoji in its title, and shows the joiners in its code', async () => {
		const task = buildTask('a', {status: 'waiting_review', review: 'required'});
		const trace = buildTrace('t', {title: 'For 👩\u200d💻 alone', tasks: [task]});
		await review(120, {}, fixturePreview.patch.replace('oauth_id text', '👩\u200d💻 text'), {
			follow: (_, call) => call({traces: mapOf(trace), events: []}),
		});
		expect(driver.screen()).toContain('For 👩💻 alone');
		expect(driver.screen()).toContain('👩<U+200D>💻 text');
	});

	it('is removed when its task no longer waits, and loaded again when it waits again', async () => {
		const task = buildTask('a', {status: 'waiting_review', review: 'required'});
		const waiting = buildTrace('t', {tasks: [task]});
		const follow: DashboardServices['follow'] = (_, call) => call({traces: mapOf(waiting), events: []});
		await review(120, {}, fixturePreview.patch, {follow});
		expect(driver.screen()).toContain(`>${path} +4 -1`);
		const over = buildTrace('t', {tasks: [{...task, status: 'completed', review: 'none'}]});
		driver.store.dispatch(updateReceived({traces: mapOf(over), events: []}));
		expect(driver.screen()).toContain('Nothing waits for you.');
		expect(driver.screen()).not.toContain(path);
		driver.press('y');
		expect(driver.copied).toEqual([]);
		driver.store.dispatch(updateReceived({traces: mapOf(waiting), events: []}));
		await expect.poll(() => driver.screen()).toContain(`>${path} +4 -1`);
	});

	it('shows old beside new if there is room', async () => {
		await review(160);
		expect(driver.screen()).toMatch(/2 - {2}add column oauth text; *│ ?2 \+ {2}add column oauth_id text;/);
	});

	it('shows the position in its files', async () => {
		await review(120);
		driver.press('G');
		expect(driver.screen()).toContain('file 3/3');
		expect(driver.screen()).toContain('100%');
	});

	it('wraps long lines, each beside its numbers, and keeps the row in sight', async () => {
		const words = Array.from({length: 60}, (_, at) => `word${at}`).join(' ');
		const long = fixturePreview.patch.replaceAll(' alter table users', ` alter table users -- ${words}`);
		for (const columns of [120, 160]) {
			await review(columns, {}, long);
			expect(driver.screen()).not.toContain('word59');
			driver.press('w');
			expect(driver.screen()).toContain('word59');
			driver.press('G');
			expect(driver.screen()).toContain('-- checked');
			expect(driver.screen()).toMatch(/>\s+\d* *\d* ?[│ ]?.*\+-- checked/);
			driver.press('g', 'w');
			expect(driver.screen()).not.toContain('word59');
			driver.stop();
		}
	});

	it('moves between matches, over the end, and into files that were not on screen yet', async () => {
		await review(120);
		driver.press('/');
		driver.type('CHECKED');
		driver.press('enter');
		const at = (): number => driver.store.getState().review.cursor;
		const first = at();
		driver.press('n', 'n');
		expect(at()).toBeGreaterThan(first);
		driver.press('n');
		expect(at()).toBe(first);
		driver.press('N');
		expect(at()).toBeGreaterThan(first);
	});

	it('lists the files that a long patch omits, with their counts, and loads each by itself', async () => {
		const [first = '', second = ''] = fixturePreview.patch.split(/(?=^diff --git )/m);
		const asked: unknown[] = [];
		await review(120, {}, first, {
			preview: async () =>
				accepted({...fixturePreview, patch: first + second.slice(0, 120), truncated: true}),
			compare: async trees => {
				asked.push(trees);
				return accepted({patch: second, truncated: false, files: []});
			},
		});
		expect(driver.screen()).toContain('file 1/3');
		expect(driver.screen()).toContain('src/users/model.ts +40 -4');
		expect(driver.screen()).toContain('src/users/model.test.ts +6 -0');
		driver.press('}', 'space', 'enter');
		await driver.settled();
		const {fork: before, work: after} = fixturePreview;
		expect(asked).toEqual([{before, after, paths: ['src/users/model.ts']}]);
		expect(driver.screen()).toMatch(/>src\/users\/model\.ts \+4 -1/);
		expect(driver.screen()).toMatch(/32 \+ {2}add column oauth_id text;/);
		driver.press('}', 'enter');
		await driver.settled();
		expect(driver.screen()).toContain('Git shows no lines of this file.');
	});

	it('folds a file that is marked as reviewed, until its content changes', async () => {
		const reviews = await review(120);
		driver.press('space');
		await driver.settled();
		expect(driver.screen()).toContain('✓ reviewed, 5 changed lines folded');
		expect(driver.screen()).toContain('file 1/3, 1 reviewed +58 -4');
		expect(driver.screen()).not.toContain('oauth_id text;\n  alter');
		const memory = await reviews.read();
		expect(memory.reviewed).toEqual([`5d6e7f8 ${path}`]);
		driver.stop();
		await review(120, memory, fixturePreview.patch.replaceAll('1a2b3c4', '9999999'));
		expect(driver.screen()).toContain('✓ reviewed');
		driver.stop();
		await review(120, memory, fixturePreview.patch.replaceAll('5d6e7f8', '7777777'));
		expect(driver.screen()).not.toContain('✓ reviewed');
	});
});

describe('who wrote a line', () => {
	const origin: LineOrigin = {
		...{commit: 'c'.repeat(40), author: 'Ada', at: '2026-01-01T10:00:00Z', subject: 'Merge', traceId: 't-9'},
		...{title: 'Sign in by name', taskId: 'schema', taskTitle: 'Add the column', agentId: 'run-9'},
		...{bee: 'builder', said: 'Added the column.', guard: null, approvedBy: 'Ada'},
		checks: [{of: 'merge', state: 'passed', summary: ''}],
		...{costUsd: 0.12, tokens: null, seconds: 95, unknown: []},
	};
	const ends = {fork: 'f'.repeat(40), work: 'e'.repeat(40)};

	const open = async (columns: number, answer: Outcome<LineOrigin> = accepted(origin)) => {
		const asked: unknown[] = [];
		await review(columns, {}, fixturePreview.patch, {
			preview: async () => accepted({...fixturePreview, ...ends}),
			lineOrigin: async (subject, question) => {
				asked.push({...subject, ...question});
				return answer;
			},
		});
		return asked;
	};
	const subject = {traceId: oauth, taskId: 'db-migration', path, ...ends};

	it('is asked of the base for a removed line, and of the runs for an added one', async () => {
		const asked = await open(120);
		driver.press('b');
		expect(driver.screen()).toContain('Select a line of the change first.');
		driver.press('j', 'j', 'j', 'b');
		await driver.settled();
		driver.press('esc', 'j', 'b');
		await driver.settled();
		expect(asked).toEqual([
			{...subject, side: 'old', line: 2},
			{...subject, side: 'new', line: 2},
		]);
	});

	it('is shown with titles instead of ids, and with what is not recorded', async () => {
		await open(120);
		driver.press('j', 'j', 'j', 'b');
		await driver.settled();
		const screen = driver.screen();
		expect(screen).toContain(`${path}:2, as it was`);
		expect(screen).toMatch(/Trace +Sign in by name/);
		expect(screen).toMatch(/Task +Add the column/);
		expect(screen).toMatch(/Run +builder, 1 min 35 s, \$0\.12/);
		expect(screen).toMatch(/It said +Added the column\./);
		expect(screen).toMatch(/Guard +not recorded/);
		expect(screen).toMatch(/Checks +passed, of the merge/);
		expect(screen).toMatch(/Approved by +Ada/);
		expect(screen).toMatch(/Commit +cccccccccccc,/);
		expect(screen).not.toMatch(/run-9|t-9/);
		driver.press('esc');
		expect(driver.screen()).toContain(`${path} +4 -1`);
	});

	it('is shown for both lines where old and new are side by side', async () => {
		const asked = await open(160);
		driver.press('j', 'j', 'j', 'b');
		await driver.settled();
		expect(asked).toMatchObject([{side: 'old'}, {side: 'new'}]);
		expect(driver.screen()).toMatch(/as it was[\s\S]*as it is now/);
	});

	it('is refused in words where git lacks the files', async () => {
		await open(120, refuse('nothing_to_merge', {message: 'Git lacks them.', hint: 'Ask there.'}));
		driver.press('j', 'j', 'j', 'b');
		await driver.settled();
		expect(driver.screen()).toContain('Git lacks them. Ask there.');
	});
});

describe('the changes since the last look', () => {
	const task = 'trace-019a8b7c3f9a1c02/db-migration';
	const [earlier, now, later] = ['a', 'b', 'c'].map(letter => letter.repeat(40)) as [string, string, string];
	const path = 'migrations/014_oauth.sql';
	const patch = [
		...[`diff --git a/${path} b/${path}`, 'index 3333333..5d6e7f8 100644', `--- a/${path}`, `+++ b/${path}`],
		...[
			'@@ -3,2 +3,3 @@',
			' create unique index users_oauth on users (oauth_id)',
			'+  where oauth_id is not null;',
		],
		...[' commit;', ''],
	].join('\n');

	const open = async (work: string, start: Partial<ReviewMemory>) => {
		const reviews = remembering(start);
		const asked: unknown[] = [];
		driver = await drive(
			{columns: 160, rows: 36},
			{
				reviews,
				preview: async () => accepted({...fixturePreview, work}),
				compare: async trees => {
					asked.push(trees);
					return accepted({patch, truncated: false, files: [{path, added: 1, removed: 0}]});
				},
			},
		);
		driver.press('3');
		await driver.settled();
		await driver.settled();
		return {reviews, asked};
	};

	it('are shown first after a rework, and s toggles the whole diff', async () => {
		const {asked} = await open(now, {looked: [{task, tree: earlier}]});
		expect(asked).toEqual([{before: earlier, after: now}]);
		expect(driver.screen()).toContain('since you looked (s: whole)');
		expect(driver.screen()).toContain('file 1/1 +1 -0');
		expect(driver.screen()).not.toContain('add column oauth text;');
		driver.press('tab', 'tab', 's');
		expect(driver.screen()).toContain('whole (s: since you looked)');
		expect(driver.screen()).toContain('add column oauth text;');
		driver.press('s');
		expect(driver.screen()).toContain('since you looked (s: whole)');
	});

	it('stay in view after a look, until the next change', async () => {
		const {reviews} = await open(now, {looked: [{task, tree: earlier}]});
		expect((await reviews.read()).looked).toEqual([{task, tree: earlier}]);
		driver.press('tab', 'tab');
		await driver.settled();
		const {looked} = await reviews.read();
		expect(looked).toEqual([{task, tree: now, before: earlier}]);
		driver.stop();
		expect((await open(now, {looked})).asked).toEqual([{before: earlier, after: now}]);
		driver.stop();
		expect((await open(later, {looked})).asked).toEqual([{before: now, after: later}]);
	});

	it('stay on screen while the same work is previewed on a base that moved', async () => {
		let release = (): void => {};
		const reads: string[] = [];
		driver = await drive(
			{columns: 160, rows: 36},
			{
				preview: async () => {
					reads.push('read');
					if (reads.length > 1)
						await new Promise<void>(done => {
							release = done;
						});
					return accepted({...fixturePreview, work: now, base: reads.length > 1 ? 'moved' : 'main'});
				},
			},
		);
		driver.press('3');
		await driver.settled();
		expect(driver.screen()).toContain(path);
		driver.tell.clashes({conflicts: new Map(), overlaps: [], bases: new Map([[oauth, 'c2']])});
		await driver.settled();
		expect(reads).toHaveLength(2);
		expect(driver.screen()).toContain(path);
		release();
		await driver.settled();
		expect(driver.screen()).toContain(path);
	});

	it('include files that a long patch omits, each read by itself, also if the work conflicts', async () => {
		const asked: unknown[] = [];
		const files = [path, 'other.ts'].map(name => ({path: name, added: 1, removed: 0}));
		driver = await drive(
			{columns: 160, rows: 36},
			{
				reviews: remembering({looked: [{task, tree: earlier}]}),
				preview: async () => accepted({...fixturePreview, work: now}),
				compare: async trees => {
					asked.push(trees);
					return accepted({patch, truncated: true, files});
				},
			},
		);
		driver.tell.clashes({
			conflicts: new Map([[oauth, {work: now, paths: ['a@b.ts']}]]),
			overlaps: [],
			bases: new Map(),
		});
		driver.press('3');
		await driver.settled();
		await driver.settled();
		driver.press('tab', 'tab', 'G', 'enter');
		await driver.settled();
		expect(asked.at(-1)).toEqual({before: earlier, after: now, paths: ['other.ts']});
	});

	it('do not exist for work that was never looked at, which opens as a whole', async () => {
		const {asked, reviews} = await open(now, {});
		expect(asked).toEqual([]);
		expect(driver.screen()).not.toContain('since you looked');
		driver.press('tab', 'tab', 's');
		expect(driver.screen()).toContain('nothing changed since you looked');
		await driver.settled();
		expect((await reviews.read()).looked).toEqual([{task, tree: now}]);
	});

	it('keep marks and comments of files with the same content, and accept comments on new lines', async () => {
		const draft = {
			...{traceId: oauth, path, side: 'new' as const, line: 4, endLine: 4, blob: '5d6e7f8'},
			...{quote: '  where oauth_id is not null;', text: 'Why partial?'},
		};
		await open(now, {looked: [{task, tree: earlier}], drafts: [draft], reviewed: [`9999999 ${path}`]});
		expect(driver.screen()).toContain('◆ you: Why partial?');
		driver.press('tab', 'tab', 'space');
		expect(driver.screen()).toContain('✓ reviewed, 1 changed lines folded');
		driver.press('s');
		expect(driver.screen()).toContain('✓ reviewed, 5 changed lines folded');
	});
});

describe('a comment on diff lines', () => {
	const comment = (...moves: string[]) => {
		driver.press(...moves, 'enter');
		driver.wait(300);
		driver.type('Which length?');
		driver.press('ctrl+d');
	};

	it('is shown below its line, stored on this machine, and can be changed and removed', async () => {
		const reviews = await review(120);
		comment('j', 'j', 'j', 'j');
		await driver.settled();
		expect(driver.screen()).toContain('◆ you: Which length?');
		expect((await reviews.read()).drafts).toEqual([draft]);
		driver.press('enter');
		driver.wait(300);
		driver.type(' And why?');
		driver.press('ctrl+d');
		await driver.settled();
		expect((await reviews.read()).drafts).toMatchObject([{text: 'Which length? And why?'}]);
		driver.press('d');
		await driver.settled();
		expect((await reviews.read()).drafts).toEqual([]);
		expect(driver.screen()).not.toContain('◆ you');
	});

	it('can cover a range of new lines', async () => {
		const reviews = await review(120);
		comment('j', 'j', 'j', 'v', 'j', 'j', 'j');
		await driver.settled();
		const quote = [
			'  add column oauth_id text;',
			'create unique index users_oauth on users (oauth_id)',
			'  where oauth_id is not null;',
		];
		expect((await reviews.read()).drafts).toMatchObject([
			{side: 'new', line: 2, endLine: 4, quote: quote.join('\n')},
		]);
		expect(driver.screen()).toContain('◆ you, at lines 2 to 4: Which length?');
	});

	it('is sent with a rejection, and is no draft afterwards', async () => {
		const reviews = await review(120, {drafts: [draft, {...draft, traceId: 'trace-other'}]});
		driver.press('x');
		expect(driver.screen()).toContain('Sends 1 comment on lines along.');
		driver.wait(300);
		driver.press('ctrl+d');
		await driver.settled();
		const {traceId: _, blob: __, ...comment} = draft;
		expect(driver.asked).toMatchObject([{action: 'proposal.reject', input: {comments: [comment]}}]);
		await driver.settled();
		expect((await reviews.read()).drafts).toMatchObject([{traceId: 'trace-other'}]);
	});

	it('follows its lines if they are unique in the present file', async () => {
		const before = ['alter table users', draft.quote, 'commit;'];
		const moved = ['begin;', '', ...before];
		const asked: string[] = [];
		await review(120, {drafts: [draft]}, fixturePreview.patch.replaceAll('5d6e7f8', '7777777'), {
			lines: async blob => {
				asked.push(blob);
				return blob === draft.blob ? before : moved;
			},
		});
		await driver.settled();
		await driver.settled();
		expect(asked).toEqual(['7777777', draft.blob]);
		expect(driver.screen()).toContain('◆ you, from line 2: Which length?');
		driver.stop();
		moved.unshift(...Array(90).fill(''));
		await review(120, {drafts: [draft]}, fixturePreview.patch.replaceAll('5d6e7f8', '7777777'), {
			lines: async blob => (blob === draft.blob ? before : moved),
		});
		await driver.settled();
		await driver.settled();
		expect(driver.screen()).toContain('◆ you, at line 94, from line 2: Which length?');
		driver.press('x');
		driver.wait(300);
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toMatchObject([{input: {comments: [{line: 94, endLine: 94}]}}]);
	});

	it('is outdated if its lines are repeated or missing in the file, or were repeated before', async () => {
		const [once, twice] = [
			['', draft.quote],
			['', draft.quote, draft.quote],
		];
		for (const [before, now] of [
			[once, twice],
			[once, ['other;']],
			[twice, once],
		]) {
			await review(120, {drafts: [draft]}, fixturePreview.patch.replaceAll('5d6e7f8', '7777777'), {
				lines: async blob => (blob === draft.blob ? before : now),
			});
			await driver.settled();
			await driver.settled();
			expect(driver.screen()).toContain('! outdated, was at');
			driver.stop();
		}
	});

	it('is marked as outdated if its lines are uncertain, and is not sent', async () => {
		await review(120, {drafts: [draft]}, fixturePreview.patch.replaceAll('5d6e7f8', '7777777'));
		expect(driver.screen()).toContain(`! outdated, was at ${path}, line 2: Which length?`);
		driver.press('x');
		expect(driver.screen()).toContain('1 outdated comment stays here');
		expect(driver.screen()).not.toContain('on lines along');
	});
});

describe('approving with unsent comments', () => {
	const remembered = {drafts: [draft, {...draft, line: 3, endLine: 3, text: 'And why?'}]};

	it('states their number, and can send them back with x instead', async () => {
		await review(120, remembered);
		driver.press('a');
		expect(driver.screen()).toContain('! 2 comments of yours are not sent. x sends them back instead.');
		expect(driver.screen()).toMatch(/\[ Cancel \] +\[ x Reject \] +\[ y Approve \]/);
		driver.wait(300);
		driver.press('x');
		expect(driver.screen()).toContain('Sends 2 comments on lines along.');
		driver.type('As noted.');
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toMatchObject([
			{action: 'proposal.reject', input: {feedback: 'As noted.', comments: [{line: 2}, {line: 3}]}},
		]);
	});

	it('approves anyway with y', async () => {
		await review(120, remembered);
		driver.press('a');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'proposal.approve'}]);
	});

	it('warns on every tab, and a rejection there sends them', async () => {
		await review(120, remembered);
		driver.press('2', '1', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('! 2 comments of yours are not sent.');
		driver.stop();
		const reviews = remembering(remembered);
		driver = await drive(undefined, {reviews, preview: async () => accepted(fixturePreview)});
		await driver.settled();
		for (const [key, words] of [
			['a', '! 2 comments of yours are not sent.'],
			['x', 'Sends 2 comments on lines along.'],
		] as const) {
			driver.press(key);
			await driver.settled();
			expect(driver.screen()).toContain(words);
			driver.press('esc');
			driver.wait(300);
			driver.press('esc');
		}
	});

	it('warns at a final gate, and for each marked task', async () => {
		const flaky = 'trace-019a8b7177b0e4d1';
		await review(120, {drafts: [{...draft, traceId: flaky}]});
		driver.press('shift+tab', 'shift+tab', 'j', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('! 1 comment of yours is not sent. x sends it back instead.');
		expect(driver.screen()).toMatch(/x Reject \] +\[ y Merge \] +\[ b Leave on branch/);
		driver.wait(300);
		driver.press('esc', 'k', 'space', 'space', 'a');
		await driver.settled();
		expect(driver.screen()).toContain('! 1 comment of yours on Fix flaky upload test is not sent.');
		driver.wait(300);
		driver.press('x');
		expect(driver.screen()).toContain('Reject Fix flaky upload test');
	});

	it('ignores comments on another trace', async () => {
		await review(120, {drafts: [{...draft, traceId: 'trace-other'}]});
		driver.press('a');
		expect(driver.screen()).not.toContain('not sent');
	});
});

describe('code with control characters', () => {
	const hiding = `diff --git "a/odd\\033.js" "b/odd\\033.js"
index 1111111..2222222 100644
--- "a/odd\\033.js"
+++ "b/odd\\033.js"
@@ -1 +1 @@ top\u202e
-old
+/*\u001b]0;*/ evil(); /*\u0007*/ \u009d more();\u200b
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`;

	it('is shown escaped, flags its file, and is escaped in the pager too', async () => {
		const paged: string[] = [];
		await review(139, {}, hiding, {
			openPager: async text => void paged.push(text),
			preview: async () =>
				accepted({
					...{...fixturePreview, patch: hiding},
					hidden: [{path: 'odd\u001b.js', kind: 'control', count: 4}],
					differs: [{path: 'gone\u202e.txt', in: 'runs'}],
				}),
		});
		const shown = '/*<U+001B>]0;*/ evil(); /*<U+0007>*/ <U+009D> more();<U+200B>';
		expect(driver.screen()).toContain(shown);
		expect(driver.screen()).toContain('top<U+202E>');
		expect(driver.screen()).toContain('odd<U+001B>.js, 4 control characters, 1 invisible character +1 -1');
		expect(driver.screen()).toContain('run.sh, file becomes program');
		expect(driver.screen()).toContain('odd<U+001B>.js (4 control characters)');
		expect(driver.screen()).toContain('Changed by the runs, and not by the merge: gone<U+202E>.txt.');
		driver.press('o');
		await driver.settled();
		expect(paged[0]).toContain(`+${shown}`);
	});
});
