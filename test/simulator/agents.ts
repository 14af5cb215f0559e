import {beeOf, type Colony, isWriter} from '../../source/colony/colony.ts';
import type {EventType, Payload} from '../../source/domain/event.ts';
import {verifierRole} from '../../source/domain/evidence.ts';
import {fencing} from '../../source/ledger/fencing.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {worktreePath} from '../../source/workspaces/worktree/worktree-state.ts';
import {randomPlan} from './colony.ts';
import type {FakeMachine} from './machine.ts';
import type {Random} from './random.ts';

type Agents = {
	readonly bus: Bus;
	readonly clock: Clock;
	readonly random: Random;
	readonly colony: Colony;
};

type Words = {readonly type: EventType; readonly payload: Payload};

/**
 * Creates the simulated agents: they sometimes emit events, and end well, badly, never, or without a result.
 */
export const createAgents =
	({bus, clock, random, colony}: Agents) =>
	(machine: FakeMachine, {env, runDir, workspace}: Launch): void => {
		const {HIVE_TRACE_ID: traceId = '', HIVE_AGENT_ID: agentId = '', HIVE_BEE: role = ''} = env;
		const heard = fencing(bus, machine.checkout);
		const isAlive = () => machine.runs.get(runDir)?.state === 'alive';
		const duration = random.chance(0.08) ? 3_600_000 : random.between(1, 30_000);

		const say = ({type, payload}: Words): void => {
			// An event that was on its way when the run was stopped may still arrive.
			if (!isAlive() && random.chance(0.8)) return;
			void heard.append({traceId, agentId, type, payload}, {id: `said/${random.hex(16)}`}).catch(() => {});
		};

		const work = (): void => {
			if (!isAlive()) return;
			machine.work.change(workspace, agentId);
			if (workspace === worktreePath({root: colony.root, traceId})) machine.branches.add(traceId);
		};

		const end = (): void =>
			machine.end(runDir, {vanished: random.chance(0.08), exitCode: random.chance(0.2) ? 1 : 0});

		/** Runs an action after a delay. A frozen agent runs it once it is thawed. */
		const after = (milliseconds: number, deed: () => void): void => {
			clock.after(milliseconds, () =>
				isAlive() && machine.runs.get(runDir)?.frozen ? after(1000, deed) : deed(),
			);
		};
		const asked = role === verifierRole ? [] : questionsOf(random);
		for (const words of [...wordsOf(random, colony, role, env.HIVE_TASK_ID ?? ''), ...asked]) {
			after(random.below(duration), () => say(words));
		}
		for (let left = deedsOf(random, colony, role); left > 0; left--) after(random.below(duration), work);
		after(duration, end);
	};

/** Returns how often the agent changes its workspace. Only writers do, and not each time. */
const deedsOf = (random: Random, colony: Colony, role: string): number => {
	const bee = beeOf(colony, role);
	return bee !== undefined && isWriter(bee) && random.chance(0.7) ? random.between(1, 3) : 0;
};

/** Some runs ask a question, sometimes twice, and sometimes one that has no answer. */
const questionsOf = (random: Random): Words[] => {
	if (random.chance(0.85)) return [];
	const ask = (payload: Omit<Payload, 'kind'>): Words => ({
		type: 'SIGNAL',
		payload: {kind: 'human.question', ...payload},
	});
	const one = () => ask({questionId: `q-${random.hex(8)}`, text: 'Which one?', options: ['this', 'that']});
	const twin = () => ask({questionId: 'q-twin', text: 'May I?'});
	const malformed = () =>
		random.pick([ask({text: 'Who?'}), ask({questionId: `q-${random.hex(8)}`, text: ' '})]);
	return random.pick([[one()], [one()], [one()], [one(), one()], [twin()], [malformed()]]);
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
		case 'root-guard':
		case 'inspector': {
			const any = () => verdict(random.chance(0.7) ? 'verification.success' : 'verification.failed');
			return random.pick([[any()], [any()], [any()], [any()], [any(), any()], []]);
		}
		case verifierRole:
			return [];
		case 'receiver':
			return taskId === '' || random.chance(0.2) ? [] : [completed];
		case 'solo': {
			const judged = random.chance(0.1) ? [verdict('verification.success')] : [];
			return taskId === '' || random.chance(0.4) ? judged : [...judged, completed];
		}
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
