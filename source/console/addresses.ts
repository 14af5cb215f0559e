import type {ActionId} from '../host/actions/table.ts';

/** The route of an action, by POST. A `:name` in a path is the field of that name. */
export type Address = {
	/** The page uses the first one. */
	readonly paths: readonly [string, ...string[]];
	/** Alternative field names for callers. */
	readonly fieldAliases?: Readonly<Record<string, string>>;
	/** Defaults of fields. */
	readonly defaults?: Readonly<Record<string, unknown>>;
	/** Fields that only a person at this machine may set. */
	readonly forbiddenFields?: readonly string[];
	/** True if the action creates something, so that it answers 201. */
	readonly makes?: true;
};

const task = '/api/traces/:traceId/tasks/:taskId';

/** The routes of all actions. A new action is offered over HTTP once it has one. */
export const addresses: Readonly<Record<ActionId, Address>> = {
	'proposal.approve': {paths: [`${task}/approve`], forbiddenFields: ['wait']},
	'proposal.reject': {paths: [`${task}/reject`]},
	'proposal.update': {paths: ['/api/traces/:traceId/update']},
	'landing.cancel': {paths: ['/api/traces/:traceId/landing/cancel']},
	'landing.retry': {paths: [`${task}/landing/retry`], forbiddenFields: ['wait']},
	'forge.send': {paths: ['/api/traces/:traceId/request/send']},
	'plan.accept': {paths: ['/api/traces/:traceId/plan/accept']},
	'plan.edit': {paths: ['/api/traces/:traceId/plan/edit']},
	'plan.return': {paths: ['/api/traces/:traceId/plan/return']},
	'task.create': {paths: ['/api/tasks'], makes: true},
	'task.start': {paths: [`${task}/start`, '/api/traces/:traceId/tasks/start']},
	'task.retry': {paths: [`${task}/retry`]},
	'task.cancel': {paths: [`${task}/cancel`]},
	kill: {paths: ['/api/traces/:traceId/kill']},
	freeze: {paths: ['/api/traces/:traceId/freeze']},
	thaw: {paths: ['/api/traces/:traceId/thaw']},
	'trace.take': {paths: ['/api/traces/:traceId/take']},
	'energy.add': {paths: ['/api/traces/:traceId/energy/add']},
	'cue.run': {
		paths: ['/api/cues/:cueId/run', '/api/cues'],
		fieldAliases: {cue: 'cueId', body: 'text'},
		defaults: {text: ''},
		makes: true,
	},
	'bee.run': {paths: ['/api/bees/:role/run'], makes: true},
	'bee.retry': {paths: ['/api/runs/:agentId/retry']},
	'question.answer': {paths: ['/api/questions/:questionId/answer']},
	'bee.chat': {
		paths: ['/api/sessions'],
		fieldAliases: {bee: 'role'},
		defaults: {body: '', columns: 80, rows: 24, trueColor: false},
		makes: true,
	},
	'session.send': {paths: ['/api/sessions/:sessionId/send'], defaults: {submit: true}},
	'session.stop': {paths: ['/api/sessions/:sessionId/stop']},
	'invite.accept': {paths: ['/api/invites/:inviteId/accept']},
	'invite.reject': {paths: ['/api/invites/:inviteId/reject']},
	'invite.record': {paths: ['/api/invites'], fieldAliases: {body: 'task'}, makes: true},
	'configuration.accept': {paths: ['/api/configuration/accept']},
	restore: {paths: ['/api/restore'], forbiddenFields: ['to']},
	prune: {paths: ['/api/prune'], defaults: {dryRun: true}},
	purge: {paths: ['/api/traces/:traceId/purge']},
};
