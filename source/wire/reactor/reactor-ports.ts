import type {ActionContext} from '../../actions/context.ts';
import {finishOpenMerge} from '../../actions/finish-open-merge.ts';
import {holdRecordedBase} from '../../actions/hold-base.ts';
import {landTrace} from '../../actions/land-trace.ts';
import {isShared, joinUpstream} from '../../actions/share-base.ts';
import {fingerprintOf} from '../../dispatch/landing-check.ts';
import {accepted} from '../../domain/errors.ts';
import type {ReactorPorts} from '../../reactor/ports.ts';
import {currentBase} from '../../workspaces/merge/base.ts';
import {awaitsMerge} from '../../workspaces/merge/leave-branch.ts';
import {createLandingPlanner} from '../../workspaces/merge/plan-landings.ts';
import {resolve} from '../../workspaces/trees/objects.ts';
import type {Registry} from '../../workspaces/worktree/registry.ts';
import {clock, failpoint, files, ids, processes} from '../drivers.ts';
import type {FollowedFiles} from './follow-files.ts';
import type {ReportError} from './report-errors.ts';

type Given = Pick<
	ReactorPorts,
	'bus' | 'dispatcher' | 'observe' | 'others' | 'slotsChanged' | 'only' | 'landsOnly'
> & {
	readonly context: ActionContext;
	readonly configuration: FollowedFiles;
	readonly registry: Pick<Registry, 'look'>;
	readonly report: (message: string) => void;
	readonly reportError: ReportError;
};

/** Creates the ports of a checkout's reactor from the drivers that its process has open. */
export const createReactorPorts = ({
	context,
	configuration: {refresh, caughtUp},
	dispatcher,
	registry,
	report,
	reportError,
	...given
}: Given): ReactorPorts => {
	const {git, checkout, missingPrograms} = context;
	return {
		...given,
		...{checkout, ids, clock, files, processes, failpoint, missingPrograms, report: reportError},
		colony: () => context.colony,
		dispatcher: {
			...dispatcher,
			begin: (...run) => dispatcher.begin(...run).finally(registry.look),
			collect: (...run) => dispatcher.collect(...run).finally(registry.look),
		},
		...{catchUp: refresh, caughtUp},
		currentBase: async ({base: named}) => {
			const {root} = context.colony;
			if (named !== undefined)
				return {...named, commit: (await resolve(git, root, `refs/heads/${named.branch}`)) ?? named.commit};
			const base = await currentBase(git, root);
			return base && {branch: base.name, commit: base.commit};
		},
		branchDiffers: async traceId => {
			await holdRecordedBase(context, traceId);
			return awaitsMerge(git, {root: context.colony.root, traceId});
		},
		landings: {
			planner: createLandingPlanner(git, context.colony.root),
			fingerprint: verify => fingerprintOf(git, context.colony, verify),
			join: async traceId => {
				if (!isShared(context.colony)) return accepted(undefined);
				await holdRecordedBase(context, traceId);
				return joinUpstream(context, traceId);
			},
			land: async (traceId, checked) => {
				await holdRecordedBase(context, traceId);
				return landTrace(context, traceId, checked);
			},
		},
		finishMerge: async traceId => {
			const ended = await finishOpenMerge(context, traceId);
			if (ended.merge === 'over' && !ended.outcome.ok)
				report(`The interrupted merge of ${traceId} was given up: ${ended.outcome.refusal.message}`);
			return ended.merge !== 'busy';
		},
	};
};
