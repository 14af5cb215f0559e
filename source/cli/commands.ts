import {actionCommand} from './action-command.ts';
import type {CommandGroup} from './command.ts';

/** Every command; the order is the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
	{
		title: 'Colony',
		commands: {
			dashboard: async () => (await import('./commands/dashboard.ts')).dashboardFor(commandGroups),
			init: async () => (await import('./commands/init.ts')).init,
			run: async () => (await import('./commands/run.ts')).run,
			status: async () => (await import('./commands/status.ts')).status,
			doctor: async () => (await import('./commands/doctor.ts')).doctor,
			'colony topology': async () => (await import('./commands/topology.ts')).topology,
			'nuc export': async () => (await import('./commands/nuc.ts')).nucExport,
			'nuc import': async () => (await import('./commands/nuc.ts')).nucImport,
			'bus move': async () => (await import('./commands/bus-move.ts')).busMove,
			'bus verify': async () => (await import('./commands/bus-verify.ts')).busVerify,
			console: async () => (await import('./commands/console.ts')).console,
			'console link': async () => (await import('./commands/console.ts')).consoleLink,
			'console token': async () => (await import('./commands/console.ts')).consoleToken,
			'gate chat': async () => (await import('./commands/gate.ts')).gateChat,
			'gate pair': async () => (await import('./commands/gate.ts')).gatePair,
			demo: async () => (await import('./commands/demo.ts')).demoFor(commandGroups),
		},
	},
	{
		title: 'Work',
		commands: {
			'cue list': async () => (await import('./commands/cue.ts')).cueList,
			'cue run': async () => (await import('./commands/cue.ts')).cueRun,
			'task create': async () => (await import('./commands/task-create.ts')).taskCreate,
			'task list': async () => (await import('./commands/task-list.ts')).taskList,
			'task show': async () => (await import('./commands/task-show.ts')).taskShow,
			'task start': async () => actionCommand((await import('../host/actions/tasks.ts')).startTask),
			'task cancel': async () => actionCommand((await import('../host/actions/tasks.ts')).cancelTask),
			'task retry': async () => actionCommand((await import('../host/actions/tasks.ts')).retryTask),
			'bee run': async () => (await import('./commands/bee-run.ts')).beeRun,
			'bee retry': async () => (await import('./commands/bee-retry.ts')).beeRetry,
			wait: async () => (await import('./commands/wait.ts')).wait,
			kill: async () => actionCommand((await import('../host/actions/traces.ts')).kill),
			freeze: async () => actionCommand((await import('../host/actions/traces.ts')).freeze),
			thaw: async () => actionCommand((await import('../host/actions/traces.ts')).thaw),
			'trace take': async () => actionCommand((await import('../host/actions/traces.ts')).takeTrace),
		},
	},
	{
		title: 'Sessions',
		commands: {
			'bee chat': async () => (await import('./commands/bee-chat.ts')).beeChat,
			'session list': async () => (await import('./commands/session.ts')).sessionList,
			'session attach': async () => (await import('./commands/session.ts')).sessionAttach,
			'session send': async () => (await import('./commands/session.ts')).sessionSend,
			'session stop': async () => (await import('./commands/session.ts')).sessionStop,
			'session replay': async () => (await import('./commands/session-replay.ts')).sessionReplay,
			'invite list': async () => (await import('./commands/invite.ts')).inviteList,
			'invite accept': async () => (await import('./commands/invite.ts')).inviteAccept,
			'invite reject': async () => (await import('./commands/invite.ts')).inviteReject,
			'invite record': async () => (await import('./commands/invite.ts')).inviteRecord,
		},
	},
	{
		title: 'Review',
		commands: {
			'proposal list': async () => (await import('./commands/proposal-list.ts')).proposalList,
			'proposal diff': async () => (await import('./commands/proposal-diff.ts')).proposalDiff,
			'proposal approve': async () => actionCommand((await import('../host/actions/review.ts')).approve),
			'proposal update': async () => actionCommand((await import('../host/actions/review.ts')).update),
			'proposal reject': async () => actionCommand((await import('../host/actions/review.ts')).reject),
			restore: async () => (await import('./commands/restore.ts')).restore,
			prune: async () => (await import('./commands/prune.ts')).prune,
			purge: async () => (await import('./commands/purge.ts')).purge,
		},
	},
	{
		title: 'Honey',
		commands: {
			'energy show': async () => (await import('./commands/energy.ts')).energyShow,
			'energy add': async () => actionCommand((await import('../host/actions/traces.ts')).addEnergy),
		},
	},
	{
		title: 'Events',
		commands: {
			'event emit': async () => (await import('./commands/event.ts')).eventEmit,
			'event validate': async () => (await import('./commands/event.ts')).eventValidate,
			'event pending': async () => (await import('./commands/event-queue.ts')).eventPending,
			'event flush': async () => (await import('./commands/event-queue.ts')).eventFlush,
			replay: async () => (await import('./commands/replay.ts')).replay,
			why: async () => (await import('./commands/why.ts')).why,
			logs: async () => (await import('./commands/logs.ts')).logs,
			'inspect usage': async () => (await import('./commands/inspect-usage.ts')).inspectUsage,
			export: async () => (await import('./commands/export.ts')).exportTrace,
		},
	},
	{
		title: 'Help',
		commands: {
			help: async () => (await import('./commands/help.ts')).helpFor(commandGroups),
			completion: async () => (await import('./commands/completion.ts')).completionFor(commandGroups),
		},
	},
];
