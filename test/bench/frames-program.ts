// One renderer of the frame benchmarks in its own process: `frames <tasks>`, or `keys` for a dashboard that
// receives keys.
import {startDashboard} from '../../source/dashboard/start.ts';
import {updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import {ago, buildTask, buildTrace, mapOf, noon} from '../dashboard/build-trace.ts';
import {createFixtureWorld} from '../dashboard/fixture-world.ts';
import {mountHeadless} from './headless-app.ts';

const [kind = '', count = '50'] = process.argv.slice(2);
const size = {columns: 200, rows: 50};
const frames = 60;
const warmUp = 15;
/** Milliseconds between frames, longer than one of stock Ink takes. */
const pause = 50;

const bigTrace = buildTrace('trace-019a8b7c3f9a1c02', {
	title: 'Many tasks',
	// The age of the run stays the same.
	createdAt: ago(-60),
	tasks: Array.from({length: Number(count)}, (_, index) =>
		buildTask(`task-${index}`, {
			summary: `summary of task ${index}`,
			dependsOn: index > 0 ? [`task-${index >> 1}`] : [],
		}),
	),
});

/** Measures milliseconds, CPU and bytes of frames in which one cell changes: the minute of the clock. */
const measure = () => {
	const store = createStore(initialState(size, noon));
	store.dispatch(updateReceived({traces: mapOf(bigTrace), events: []}));
	const app = mountHeadless(store, size);
	const times: number[] = [];
	const bytes: number[] = [];
	let clears = 0;
	let rowBytes = 0;
	let cpu = process.cpuUsage();
	const step = (frame: number): void => {
		if (frame === warmUp) cpu = process.cpuUsage();
		if (frame === warmUp + frames) return report({times, bytes, rowBytes, clears}, process.cpuUsage(cpu));
		app.taken();
		const started = performance.now();
		app.onFrame(() => {
			if (frame < warmUp) return;
			times.push(performance.now() - started);
			// Ink writes in pieces, and a whole frame is available one turn later.
			setImmediate(() => {
				const written = app.taken();
				bytes.push(Buffer.byteLength(written));
				clears += written.match(/\[[23]J/g)?.length ?? 0;
				rowBytes = Buffer.byteLength(changedRow.exec(written)?.[1] ?? '');
			});
		});
		store.dispatch(state => ({...state, now: noon + (frame % 7) * 60_000}));
		setTimeout(step, pause, frame + 1);
	};
	setTimeout(step, 50, 0);
};

/** The output of Ink between the start of a row and the next row. */
const changedRow = new RegExp(`\\[1G${'\x1b'}\\[K([^\n]*)\n`);

const report = (measured: object, {user, system}: NodeJS.CpuUsage): void => {
	process.stdout.write(JSON.stringify({...measured, cpu: (user + system) / 1000 / frames}), () =>
		process.exit(0),
	);
};

const background = 20;

/** Runs the real dashboard in a terminal while something changes fifty times a second. */
const serveKeys = async () => {
	const {world, tell} = createFixtureWorld({now: () => noon + performance.now()});
	let line = 0;
	setInterval(() => {
		line += 1;
		tell.log(`line ${line}\n`);
	}, background).unref();
	await startDashboard(world, {
		stdin: process.stdin,
		stdout: process.stdout,
		env: process.env,
		color: 'always',
	});
};

/** The floor for comparison: handwritten rows, fifty times a second and at each key. */
const serveRaw = () => {
	let line = 0;
	const row = (at: number, text: string): boolean => process.stdout.write(`\x1b[${at};1H\x1b[2K${text}`);
	process.stdin.setRawMode(true);
	process.stdin.on('data', key => row(3, String(key) === '3' ? 'Needs you 1 of' : 'Traces 1 of 4'));
	setInterval(() => {
		line += 1;
		row(9, `line ${line}`);
	}, background);
	row(1, 'hive Traces 1 of 4');
};

if (kind === 'keys') await serveKeys();
else if (kind === 'raw-keys') serveRaw();
else measure();
