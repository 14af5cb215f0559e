import type {Colony} from '../../source/colony/colony.ts';
import type {EventType, Payload} from '../../source/domain/event.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {randomPlan} from './colony.ts';
import type {FakeMachine} from './machine.ts';
import type {Random} from './random.ts';

type Agents = {
	readonly bus: Bus;
	readonly clock: Clock;
	readonly random: Random;
	readonly colony: Colony;
	/** A run left a change in the trace worktree. */
	readonly branchMoves: (traceId: string) => void;
};

type Words = {readonly type: EventType; readonly payload: Payload};

/** What agents do once they live: say something now and then, and end well, badly, never, or without a word. */
export const createAgents =
	({bus, clock, random, colony, branchMoves}: Agents) =>
	(machine: FakeMachine, {env, runDir}: Launch): void => {
		const {HIVE_TRACE_ID: traceId = '', HIVE_AGENT_ID: agentId = '', HIVE_BEE: role = ''} = env;
		const isAlive = () => machine.runs.get(runDir)?.state === 'alive';
		const duration = random.chance(0.08) ? 3_600_000 : random.between(1, 30_000);

		const say = ({type, payload}: Words): void => {
			// What was on its way when the run was stopped may still arrive.
			if (!isAlive() && random.chance(0.8)) return;
			void bus.append({traceId, agentId, type, payload}, {id: `said/${random.hex(16)}`});
		};

		const end = (): void => {
			const changed = random.chance(0.8);
			if (changed && isAlive() && colony.bees.get(role)?.worktree) branchMoves(traceId);
			machine.end(runDir, {
				changed,
				vanished: random.chance(0.08),
				exitCode: random.chance(0.15) ? 1 : 0,
			});
		};

		/** A frozen agent does what it was about to do once it is thawed. */
		const after = (milliseconds: number, deed: () => void): void => {
			clock.after(milliseconds, () =>
				isAlive() && machine.runs.get(runDir)?.frozen ? after(1000, deed) : deed(),
			);
		};
		for (const words of wordsOf(random, colony, role, env.HIVE_TASK_ID ?? '')) {
			after(random.below(duration), () => say(words));
		}
		after(duration, end);
	};

const wordsOf = (random: Random, colony: Colony, role: string, taskId: string): Words[] => {
	const task = taskId === '' ? {} : {taskId};
	const verdict = (kind: string): Words => ({
		type: 'VERIFICATION',
		payload: {kind, summary: 'looked at it', ...task},
	});
	const completed: Words = {
		type: 'VERIFICATION',
		payload: {kind: 'task.completed', taskId, status: 'completed', summary: 'done', commit: ''},
	};
	const note: Words = {type: 'INSIGHT', payload: {kind: 'context.note', summary: 'a thought'}};
	switch (role) {
		case 'guard':
		case 'root-guard': {
			const first = verdict(random.chance(0.7) ? 'verification.success' : 'verification.failed');
			return random.chance(0.1)
				? [first, verdict('verification.success')]
				: random.chance(0.1)
					? []
					: [first];
		}
		case 'receiver':
			return taskId === '' || random.chance(0.2) ? [] : [completed];
		case 'planner': {
			const tasks = randomPlan(random, colony, `p${random.hex(3)}-`);
			return [{type: 'INSIGHT', payload: {kind: 'task.plan', tasks}}];
		}
		default:
			return [
				...(random.chance(0.3) ? [note] : []),
				...(taskId !== '' && random.chance(0.08) ? [completed] : []),
			];
	}
};
