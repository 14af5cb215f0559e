import {describe, expect, it} from 'vitest';
import {topologyOf} from '../../source/colony/topology.ts';
import {renderDot, renderMermaid} from '../../source/colony/topology-diagrams.ts';
import {renderTopology} from '../../source/colony/topology-text.ts';
import {colonyFrom} from './sample-colony.ts';

const script = 'adapter: script\ncommand: [sh, work.sh]\n';
const bees = {
	'bees/planner.yaml': `${script}subscribes: [{type: SIGNAL, kind: feature.requested, dispatch: direct}]\npublishes: [{type: INSIGHT, kind: task.plan}]\n`,
	'bees/builder.yaml': `${script}worktree: true\nintents: [bugfix, general]\npublishes: [{type: MUTATION, kind: code.proposal}]\n`,
	'bees/guard.yaml': `${script}worktree: true\nsubscribes: [{type: MUTATION, kind: code.proposal.isolated}, {type: VERIFICATION}]\n`,
};
const topology = topologyOf(await colonyFrom(bees));

describe('the topology of a colony', () => {
	it('has an edge for each rule, with aliases resolved and a star for no kind', () => {
		expect(topology.edges).toEqual([
			{kind: 'publish', from: 'builder', to: 'MUTATION/code.proposal.isolated'},
			{kind: 'publish', from: 'planner', to: 'INSIGHT/task.plan'},
			expect.objectContaining({from: 'MUTATION/code.proposal.isolated', to: 'guard', dispatch: 'direct'}),
			expect.objectContaining({from: 'SIGNAL/feature.requested', to: 'planner', implicit: false}),
			expect.objectContaining({from: 'SIGNAL/task.ready', to: 'builder', dispatch: 'task', implicit: true}),
			expect.objectContaining({from: 'VERIFICATION/*', to: 'guard'}),
		]);
	});

	it('is identical whatever the order of files and rules', async () => {
		const reversed = await colonyFrom(Object.fromEntries(Object.entries(bees).reverse()));
		expect(topologyOf(reversed)).toEqual(topology);
	});

	it('lists a rule once if a bee repeats it', async () => {
		const rule = '{type: SIGNAL, kind: go}';
		const twice = topologyOf(await colonyFrom({'bees/a.yaml': `${script}subscribes: [${rule}, ${rule}]\n`}));
		expect(twice.edges).toHaveLength(1);
	});

	it('has an edge for each invite, even if only the event names its bee', async () => {
		const rule = (invite: string, match = '{}') =>
			`{when: {type: SIGNAL, kind: go}, match: ${match}, invite: ${invite}}`;
		const inviting = topologyOf(
			await colonyFrom({
				'bees/drone.yaml': '{}\n',
				'colony.yaml': `slug: shop\nauto_invites: [${rule('{bee: drone, intent: "a|b"}', '{decision: "grill\\"", n: 1}')}, ${rule('{bee: {from: who}}')}]\n`,
			}),
		);
		expect(inviting.edges.filter(({kind}) => kind === 'invite')).toEqual([
			{kind: 'invite', from: 'SIGNAL/go', to: '', beeFrom: 'who', intent: '', match: ''},
			{
				kind: 'invite',
				from: 'SIGNAL/go',
				to: 'drone',
				beeFrom: '',
				intent: 'a|b',
				match: 'decision=grill",n=1',
			},
		]);
		const edges = renderMermaid(inviting)
			.split('\n')
			.filter(line => line.includes('|invite'));
		expect(edges).toEqual([
			'  E_SIGNAL_go -->|invite from=who| bees',
			'  E_SIGNAL_go -->|invite intent=a_b match decision=grill_,n=1| B_drone',
		]);
		expect(renderDot(inviting)).toContain('E_SIGNAL_go -> bees [label="invite from=who"];');
		expect(renderTopology(inviting)).toContain(
			'  to    a bee (invite, from=who), drone (invite, intent=a_b, match decision=grill_,n=1)',
		);
	});

	it('states how each bee works', () => {
		expect(topology.bees[0]).toEqual({
			role: 'builder',
			adapter: 'script',
			intents: ['bugfix', 'general'],
			defaultIntent: '',
		});
	});
});

describe('the drawings of a topology', () => {
	it.each([
		['mermaid', renderMermaid],
		['dot', renderDot],
		['text', renderTopology],
	])('match their goldens: %s', async (format, render) => {
		await expect(`${render(topology)}\n`).toMatchFileSnapshot(`../golden/topology/sample.${format}`);
	});

	it('show people as the source of a feature request, and no receiver for an unused spec', async () => {
		const text = renderTopology(
			topologyOf(
				await colonyFrom({
					'bees/planner.yaml': `${script}subscribes: [{type: SIGNAL, kind: feature.requested}]\npublishes: [{type: SIGNAL, kind: spec.ready}]\n`,
				}),
			),
		);
		expect(text).toContain('SIGNAL/feature.requested\n  from  people\n  to    planner (direct)');
		expect(text).toContain('SIGNAL/spec.ready\n  from  planner\n  to    no bee');
	});

	it('give different nodes to names that are equal after sanitizing', async () => {
		const alike = topologyOf(
			await colonyFrom({
				'bees/a.b.yaml': `${script}subscribes: [{type: SIGNAL, kind: go.on}]\n`,
				'bees/a_b.yaml': `${script}subscribes: [{type: SIGNAL, kind: go-on}]\n`,
			}),
		);
		for (const drawing of [renderMermaid(alike), renderDot(alike)]) {
			expect(drawing).toMatch(/E_SIGNAL_go_on -+>.*B_a_b_2\b/);
			expect(drawing).toMatch(/E_SIGNAL_go_on_2 -+>.*B_a_b\b(?!_)/);
		}
	});

	it('say where bee files belong if there are none', async () => {
		expect(renderTopology(topologyOf(await colonyFrom({})))).toContain('.hive/bees/');
	});
});
