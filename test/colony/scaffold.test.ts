import {describe, expect, test} from 'vitest';
import {fallbackTool} from '../../source/colony/agent-tools.ts';
import {intentsOf} from '../../source/colony/intents.ts';
import {type PromptVariables, renderPrompt} from '../../source/colony/prompts.ts';
import {flowFiles, scaffoldColony, scaffoldFiles} from '../../source/colony/scaffold/scaffold.ts';
import {validateInTrace} from '../../source/colony/validate-in-trace.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {emptyTrace} from '../../source/domain/trace.ts';
import {colonyFrom} from './sample-colony.ts';

/** The variables of a run without a task. */
const withoutTask: PromptVariables = {
	...{Bee: 'x', Adapter: 'alpha', TraceID: 't', AgentID: 'r', TaskID: '', ColonyRoot: '/repo'},
	...{Workspace: '/repo/w', Task: 'Do it.', TraceTitle: '', Sector: '', SectorPath: '', Intent: ''},
	...{IntentRaw: '', Insights: [], Feedback: '', Evidence: '', ResultFile: '/r/summary.md'},
	...{ArtifactsDir: '/r/artifacts', Interactive: false, IsLastWorkTask: false},
};

const flows = [undefined, 'ideation'] as const;

const colonyOf = (flow: (typeof flows)[number]) =>
	colonyFrom({
		'colony.yaml': scaffoldColony('shop', 'shop-1', {
			...{flow, tool: fallbackTool, project: {setup: []}, verifies: false, reviewsPlans: false},
		}),
		...Object.fromEntries(
			[...scaffoldFiles(fallbackTool), ...(flow === undefined ? [] : flowFiles(flow, fallbackTool))].map(
				([path, text]) => [path.replace('.hive/', ''), text],
			),
		),
	});

/** Returns the events that a prompt tells the agent to emit. */
const examplesIn = (prompt: string): unknown[] =>
	[...prompt.matchAll(/<<'JSON'\n(.*?)\nJSON\n/gs)].map(([, json = '']) => JSON.parse(json));

describe.each(flows)('the files of "hive init" (flow: %s)', flow => {
	test.each([
		['without a task', ''],
		['with a task', 'a'],
	])('tell an agent %s to emit only events that it may', async (_, TaskID) => {
		const colony = await colonyOf(flow);
		expect(colony.problems).toEqual([]);
		const seen = new Set<string>();
		for (const bee of colony.bees.values())
			for (const Intent of ['', ...intentsOf(colony, bee)])
				for (const IsLastWorkTask of [false, true]) {
					const variables = {...withoutTask, TaskID, Intent, IsLastWorkTask};
					const {prompt} = expectAccepted(renderPrompt(colony, bee, variables));
					expect(prompt).not.toContain('""');
					for (const example of examplesIn(prompt)) {
						const event = {traceId: 't', ...Object(example)};
						expect(validateInTrace(colony, emptyTrace('t'), event)).toMatchObject({ok: true});
						seen.add(event.payload.kind);
					}
				}
		expect([...seen]).toEqual(expect.arrayContaining(['verification.failed', 'verification.success']));
		for (const kind of flow === 'ideation'
			? ['feature.classified', 'spec.ready', 'task.plan']
			: ['task.plan'])
			expect(seen).toContain(kind);
	});
});
