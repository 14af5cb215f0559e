import {openRuns, type Trace} from '../domain/trace.ts';
import type {Files} from '../ports/files.ts';
import {runDirectory} from '../runs/layout.ts';
import {readSession} from '../runs/session.ts';
import type {SessionEntry} from '../workspaces/worktree/registry.ts';

/** Returns the open sessions of a checkout as `state.json` lists them, in the order of their traces. */
export const sessionEntries = (
	files: Files,
	root: string,
	traces: readonly Trace[],
	checkout: string,
): Promise<SessionEntry[]> =>
	Promise.all(
		traces.flatMap(trace =>
			openRuns(trace).flatMap(({agentId, bee, startedAt, interactive, place}) => {
				if (!interactive || place !== checkout) return [];
				const {traceId} = trace;
				const runDir = runDirectory(root, traceId, agentId);
				return [
					readSession(files, runDir).then(session => ({
						...{sessionId: agentId, traceId, agentId, runDir, bee},
						...(session?.pid === undefined ? {} : {pid: session.pid}),
						startedAt,
					})),
				];
			}),
		),
	);
