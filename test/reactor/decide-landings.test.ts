import {createHash} from 'node:crypto';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {emptyTrace} from '../../source/domain/trace.ts';
import {landingQueue} from '../../source/ledger/landing-queue.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {decideLandings, type LandingStep} from '../../source/reactor/landings/decide-landings.ts';
import type {PlannedLanding} from '../../source/workspaces/merge/plan-landings.ts';

/** A change is its number. A tree is the set of changes in it. */
type Tree = readonly number[];

const idOf = (tree: Tree): string =>
	createHash('sha1')
		.update(JSON.stringify(tree.toSorted((one, other) => one - other)))
		.digest('hex');

type Scene = {
	/** Pairs of changes that pass alone and fail together. */
	readonly clashes: readonly (readonly [number, number])[];
	readonly count: number;
	/** What happens next, of all that can. */
	readonly choices: readonly number[];
	readonly parallel: number;
};

const passes = ({clashes}: Scene, tree: Tree): boolean =>
	!clashes.some(pair => pair.every(change => tree.includes(change)));

/** A colony in memory: real folds and decisions, and sets in place of git. */
class World {
	base: Tree = [];
	sequence = 0;
	readonly traces = new Map<number, Trace>();
	readonly trees = new Map<string, Tree>();
	readonly left: number[] = [];
	readonly merged: number[] = [];
	readonly scene: Scene;

	constructor(scene: Scene) {
		this.scene = scene;
	}

	append(change: number, payload: NewEvent['payload'], type: NewEvent['type'] = 'SIGNAL'): void {
		const traceId = `trace-${change}`;
		const trace = this.traces.get(change) ?? emptyTrace(traceId);
		this.sequence += 1;
		const at = new Date(this.sequence * 1000).toISOString();
		const event = {traceId, type, payload, id: `event-${this.sequence}`, sequence: this.sequence, at};
		this.traces.set(change, applyEvents(trace, [{...event, agentId: 'human'}]).trace);
	}

	request(change: number): void {
		const tasks = [{taskId: 'gate', title: 'Merge', review: 'final', dependsOn: []}];
		this.append(change, {kind: 'task.plan', tasks}, 'INSIGHT');
		this.append(change, {kind: 'task.status', taskId: 'gate', status: 'waiting_review', summary: ''});
		const tree = idOf([change]);
		this.append(change, {
			...{kind: 'landing.requested', taskId: 'gate', tree, work: tree, base: 'main', by: 'human'},
			strategy: 'merge',
		});
	}

	get queue() {
		return landingQueue(this.traces.values());
	}

	changeOf({traceId}: Trace): number {
		return Number(traceId.slice('trace-'.length));
	}

	plan(): readonly PlannedLanding[] {
		let onto = this.base;
		return this.queue.map(({trace}, index) => {
			onto = [...onto, this.changeOf(trace)];
			const tree = idOf(onto);
			this.trees.set(tree, onto);
			return {state: 'ready', ref: 'main', tree, isFirst: index === 0};
		});
	}

	/** Performs all that is due now. Returns false if there was nothing. */
	decide(): boolean {
		const plans = this.plan();
		const facts = this.queue.map((place, index) => ({
			...place,
			plan: plans[index] as PlannedLanding,
			isChecked: true,
			parallel: this.scene.parallel,
		}));
		const {steps, unwanted} = decideLandings(facts);
		for (const agentId of unwanted) this.end(agentId, 'cancelled');
		const [step] = steps;
		if (step !== undefined) this.perform(step);
		return step !== undefined || unwanted.size > 0;
	}

	perform(step: LandingStep): void {
		const change = this.changeOf(step.trace);
		switch (step.do) {
			case 'report':
				return this.append(change, {kind: 'landing.checked', taskId: 'gate', ...step.check});
			case 'leave':
				this.left.push(change);
				return this.append(change, {kind: 'landing.left', taskId: 'gate', reason: step.reason});
			case 'check':
				return this.append(change, {
					...{kind: 'energy.consume', verifies: 'hive.verify', bee: 'hive.verify', reason: 'check'},
					...{agentId: `run-${this.sequence}`, taskId: 'gate', tree: step.tree, place: 'here'},
					trigger: step.trace.landing?.sequence,
				});
			case 'land': {
				const tree = this.trees.get(step.tree);
				expect(tree).toEqual([...this.base, change]);
				this.base = tree ?? [];
				this.merged.push(change);
				const {tree: id, checkedBy} = step;
				this.append(change, {kind: 'merge.started', taskId: 'gate', tree: id, by: 'human', checkedBy});
				this.append(change, {kind: 'task.completed', taskId: 'gate', commit: 'c0ffee'}, 'VERIFICATION');
			}
		}
	}

	running(): readonly {readonly agentId: string; readonly lands: string}[] {
		return [...this.traces.values()].flatMap(({runs}) =>
			[...runs.values()].flatMap(({agentId, lands, status}) =>
				status === 'running' && lands !== undefined ? [{agentId, lands}] : [],
			),
		);
	}

	end(agentId: string, status?: string): void {
		const trace = [...this.traces.values()].find(({runs}) => runs.has(agentId));
		if (trace === undefined) return;
		const tree = this.trees.get(trace.runs.get(agentId)?.lands ?? '') ?? [];
		const result = status ?? (passes(this.scene, tree) ? 'completed' : 'failed');
		const payload = {kind: 'run.finished', agentId, bee: 'hive.verify', status: result, exitCode: 0};
		this.append(this.changeOf(trace), {...payload, summary: 'npm test'});
	}
}

/** Lands all changes of the scene. The choices give the order in which approvals, checks and steps come. */
const play = (scene: Scene): World => {
	const world = new World(scene);
	const due = Array.from({length: scene.count}, (_, change) => change);
	let turn = 0;
	for (let steps = 0; steps < 2000; steps++) {
		// Once the choices are used up, each kind of event has its turn.
		const choice = scene.choices[turn] ?? turn;
		turn += 1;
		const running = world.running();
		const [next] = due;
		if (next !== undefined && choice % 3 === 0) world.request(due.shift() ?? next);
		else if (running.length > 0 && choice % 3 === 1)
			world.end(running[choice % running.length]?.agentId ?? '');
		else if (!world.decide() && running.length === 0 && due.length === 0) return world;
		expect(world.running().length).toBeLessThanOrEqual(scene.parallel);
	}
	throw new Error('The queue does not come to an end.');
};

const scenes = (clashes: (count: number) => fc.Arbitrary<Scene['clashes']>): fc.Arbitrary<Scene> =>
	fc.integer({min: 2, max: 6}).chain(count =>
		fc.record({
			count: fc.constant(count),
			clashes: clashes(count),
			choices: fc.array(fc.nat(30), {minLength: 8, maxLength: 60}),
			parallel: fc.integer({min: 1, max: 4}),
		}),
	);

const pairs = (count: number) =>
	fc.array(
		fc.tuple(fc.nat(count - 1), fc.nat(count - 1)).filter(([one, other]) => one !== other),
		{
			minLength: 1,
			maxLength: 5,
		},
	);

test('changes that pass alone and fail together never break the base, in any order of events', async () => {
	await fc.assert(
		fc.property(scenes(pairs), scene => {
			const world = play(scene);
			expect(passes(scene, world.base)).toBe(true);
			expect([...world.merged, ...world.left].toSorted()).toEqual(
				Array.from({length: scene.count}, (_, change) => change),
			);
			for (const change of world.left) expect(passes(scene, [...world.base, change])).toBe(false);
		}),
		{numRuns: 200},
	);
});

test('changes that pass together all land, in the order of their approval', async () => {
	await fc.assert(
		fc.property(
			scenes(() => fc.constant([])),
			scene => {
				const world = play(scene);
				expect(world.left).toEqual([]);
				expect(world.merged).toEqual(Array.from({length: scene.count}, (_, change) => change));
			},
		),
		{numRuns: 200},
	);
});

test('a check of a tree that would not land any more is not wanted, and does not count as running', () => {
	const world = new World({clashes: [], count: 2, choices: [], parallel: 1});
	world.request(0);
	world.request(1);
	world.decide();
	expect(world.running()).toHaveLength(1);
	world.base = [7];
	world.decide();
	expect(world.running().map(({lands}) => world.trees.get(lands))).toEqual([[7, 0]]);
});
