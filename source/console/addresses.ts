import type {ActionId} from '../host/actions/table.ts';

/**
 * Where an action of the table is asked for, by POST. What stands in a path as `:name` is the field of that
 * name.
 */
export type Address = {
	/** The first is the one that pages use. */
	readonly paths: readonly [string, ...string[]];
	/** Names that callers may give fields instead of the action's own. */
	readonly names?: Readonly<Record<string, string>>;
	/** What a caller need not say. */
	readonly initially?: Readonly<Record<string, unknown>>;
	/** Fields that are for who is at this machine. */
	readonly without?: readonly string[];
	/** It makes something, and answers 201. */
	readonly makes?: true;
};

const task = '/api/traces/:traceId/tasks/:taskId';

/** Of every action there is: a new one is offered once it has an address. */
export const addresses: Readonly<Record<ActionId, Address>> = {
	'proposal.approve': {paths: [`${task}/approve`]},
	'proposal.reject': {paths: [`${task}/reject`]},
	'proposal.update': {paths: ['/api/traces/:traceId/update']},
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
		names: {cue: 'cueId', body: 'text'},
		initially: {text: ''},
		makes: true,
	},
	'bee.run': {paths: ['/api/bees/:role/run'], makes: true},
	'bee.retry': {paths: ['/api/runs/:agentId/retry']},
	'bee.chat': {
		paths: ['/api/sessions'],
		names: {bee: 'role'},
		initially: {body: '', columns: 80, rows: 24, trueColor: false},
		makes: true,
	},
	'session.send': {paths: ['/api/sessions/:sessionId/send'], initially: {submit: true}},
	'session.stop': {paths: ['/api/sessions/:sessionId/stop']},
	'invite.accept': {paths: ['/api/invites/:inviteId/accept']},
	'invite.reject': {paths: ['/api/invites/:inviteId/reject']},
	'invite.record': {paths: ['/api/invites'], names: {body: 'task'}, makes: true},
	'configuration.accept': {paths: ['/api/configuration/accept']},
	restore: {paths: ['/api/restore'], without: ['to']},
	prune: {paths: ['/api/prune'], initially: {dryRun: true}},
	purge: {paths: ['/api/traces/:traceId/purge']},
};
