import {expect, test} from 'vitest';
import {builtCommand} from '../helpers/run-hive.ts';
import {playApprovals} from './approvals.ts';
import {chatPoints, playGateways} from './gateways.ts';
import {playKills} from './kills.ts';
import {playLandings} from './landings.ts';
import {playMerges} from './merges.ts';
import {playOutside} from './outside.ts';
import {playQuestions} from './questions.ts';
import {playSessions} from './sessions.ts';
import {playTrees} from './trees.ts';

/** A short version of `npm run chaos`. */

test.concurrent('a reactor that is killed again and again starts no agent twice and loses nothing', async () => {
	const {breaches, figures} = await playKills(builtCommand(), 7, 2);
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({kills: 2, 'double starts': 0, 'lost events': 0, orphans: 0});
	expect(figures.starts).toBeGreaterThan(0);
});

test.concurrent("an approve that is killed loses no byte of the user's files and leaves no gate stuck", async () => {
	const {breaches, figures} = await playMerges(builtCommand(), 7, 2);
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({merges: 2, 'lost bytes': 0, 'stuck gates': 0});
	expect(figures.faults).toBeGreaterThan(0);
});

test.concurrent('landings that are killed again and again leave nothing unchecked, twice or stuck', async () => {
	const {breaches, figures} = await playLandings(builtCommand(), 7, 4);
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({kills: 4, unchecked: 0, twice: 0, stuck: 0});
});

test.concurrent('agents that ignore signals leave no process behind', async () => {
	const {breaches, figures} = await playTrees(builtCommand(), 30, 4);
	expect(breaches).toEqual([]);
	expect(figures).toEqual({trees: 4, survivors: 0});
});

test.concurrent('sessions outlive killed viewers, dashboards and reactors, until the sessions are stopped', async () => {
	const {breaches, figures} = await playSessions(builtCommand(), 7, {sessions: 2, rounds: 4});
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({sessions: 2, rounds: 4, lost: 0, 'left behind': 0});
});

test.concurrent('chat gateways that are killed between any two effects carry out every answer once, on one card', async () => {
	const {breaches, figures} = await playGateways(builtCommand(), 7, chatPoints.length);
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({kills: chatPoints.length, lost: 0, twice: 0, doubled: 0});
});

test.concurrent('exactly one of terminal, page and chat approves or answers, and all others are told which', async () => {
	const {breaches, figures} = await playApprovals(builtCommand(), 7, 3);
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({approvals: 3, questions: 2});
});

test.concurrent('questions are answered once and reach their agents, whatever else is killed', async () => {
	const {breaches, figures} = await playQuestions(builtCommand(), 7, 6);
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({questions: 6, lost: 0, twice: 0, undelivered: 0, repeated: 0, doubled: 0});
	for (const victim of ['reactor', 'dashboard', 'console', 'gateway'])
		expect(figures[`${victim} kills`]).toBeGreaterThan(0);
});

test.concurrent('changes that an agent makes in the checkout are reported, and changes by a person are not', async () => {
	const {breaches, figures} = await playOutside(builtCommand(), 7, 2);
	expect(breaches).toEqual([]);
	expect(figures).toMatchObject({runs: 2, missed: 0, invented: 0, 'lost objects': 0});
	expect(figures['red facts']).toBeGreaterThan(0);
});
