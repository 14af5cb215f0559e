import {verifierRole} from '../../source/domain/evidence.ts';
import {ago, buildInvite, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';

export const [reviewed, gated, failing, invited] = [
	'trace-0f0f0f0f0f0f0f01',
	'trace-0f0f0f0f0f0f0f02',
	'trace-0f0f0f0f0f0f0f03',
	'trace-0f0f0f0f0f0f0f04',
];
export const taskId = (number: number): string => `task-0e0e0e0e0e0e0e0${number}`;
export const agentId = (number: number): string => `abadcafeabadcaf${number}`;

/** Traces in every state. Their ids are recognisable, and their titles contain no identifier. */
export const tracesInWords = mapOf(
	buildTrace(reviewed, {
		title: 'Limit requests',
		tasks: [
			buildTask(taskId(1), {
				title: 'Write the limiter',
				status: 'waiting_review',
				review: 'required',
				agentId: agentId(1),
				proposal: {sequence: 4, workspace: 'isolated', summary: 'A fixed window'},
				proposalWorkspace: 'isolated',
			}),
			buildTask(taskId(2), {title: 'Document it', dependsOn: [taskId(1)]}),
			buildTask('_review', {title: '', review: 'final', bee: '', dependsOn: [taskId(2)]}),
		],
		runs: [
			buildRun(agentId(1), {
				taskId: taskId(1),
				status: 'completed',
				finishedAt: ago(1),
				summary: 'A fixed window',
			}),
			buildRun(agentId(2), {taskId: taskId(1), bee: 'guard', trigger: 4}),
			buildRun(agentId(9), {
				...{taskId: taskId(1), bee: verifierRole, verifies: 'builder', trigger: 4},
				...{status: 'failed', exitCode: 1, finishedAt: ago(1), summary: 'npm test (exit 1)'},
			}),
		],
	}),
	buildTrace(gated, {
		title: 'Compress answers',
		tasks: [
			buildTask(taskId(3), {title: 'Compress them', status: 'completed', agentId: agentId(3)}),
			buildTask('_review', {title: '', status: 'waiting_review', review: 'final', bee: ''}),
		],
		runs: [buildRun(agentId(3), {taskId: taskId(3), status: 'completed', finishedAt: ago(3)})],
	}),
	buildTrace(failing, {
		title: 'Retry uploads',
		tasks: [
			buildTask(taskId(4), {title: 'Retry them', status: 'failed', summary: 'No luck', agentId: agentId(4)}),
			buildTask(taskId(5), {title: 'Wait longer', status: 'waiting_review', waitsFor: 'no_change'}),
			buildTask(taskId(6), {title: 'Measure it', status: 'running', agentId: agentId(5)}),
		],
		runs: [
			buildRun(agentId(4), {
				taskId: taskId(4),
				status: 'failed',
				exitCode: 1,
				finishedAt: ago(3),
				summary: 'No luck',
			}),
			buildRun(agentId(5), {taskId: taskId(6)}),
		],
	}),
	buildTrace(invited, {
		title: 'Plan the release',
		invites: [buildInvite('inv-0d0d0d0d0d0d', {task: 'Talk about the release'})],
	}),
);
