import {expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createGit} from '../../source/drivers/git.ts';
import {verifyLog} from '../../source/host/log-admin/verify-log.ts';
import {createEvent, item, planOf, statusOf} from '../helpers/events.ts';
import {createRepository} from '../helpers/repository.ts';
import {filePlace} from './log-rig.ts';

type Landing = {readonly commit: string; readonly tree: string; readonly more?: object};

/** The events of a trace whose only gate is merged. */
const landingOf = ({commit, tree, more}: Landing): readonly NewEvent[] => [
	planOf({...item('gate'), review: 'final'}),
	statusOf('gate', 'waiting_review'),
	createEvent('SIGNAL', {kind: 'merge.started', taskId: 'gate', tree, by: 'cli', ...more}),
	{
		...createEvent('VERIFICATION', {kind: 'task.completed', taskId: 'gate', status: 'completed', commit}),
		agentId: 'cli',
	},
];

const here = 'here';
const elsewhere = 'e'.repeat(40);

/** Verifies a log with these landings, in a repository with one commit. Returns its tree too. */
const verify = async (landingsOf: (commit: string, tree: string) => Readonly<Record<string, Landing>>) => {
	const {root, git} = await createRepository({'a.txt': 'one\n'});
	const [commit, tree] = [await git(['rev-parse', 'HEAD']), await git(['rev-parse', 'HEAD^{tree}'])];
	const place = await filePlace();
	const bus = await place.open();
	for (const [traceId, landing] of Object.entries(landingsOf(commit, tree)))
		for (const [index, event] of landingOf(landing).entries())
			await bus.append({...event, traceId}, {id: `${traceId}/${index}`});
	const own = {root, checkout: here};
	const {landings, findings} = await verifyLog(await place.openRaw(), createFiles(), createGit(), own);
	return {commit, tree, landings, findings};
};

test('verification compares the commit of each landing with the tree that was checked', async () => {
	const other = 'f'.repeat(40);
	const {commit, landings, findings} = await verify((commit, tree) => ({
		checked: {commit, tree, more: {checkedBy: 'run-1'}},
		unchecked: {commit, tree},
		changed: {commit, tree: other, more: {checkedBy: 'run-2'}},
	}));
	expect(landings).toMatchObject([
		{traceId: 'checked', taskId: 'gate', commit, state: 'same', by: 'cli', checkedBy: 'run-1'},
		{traceId: 'unchecked', state: 'same'},
		{traceId: 'changed', state: 'different', tree: other},
	]);
	expect(landings[1]).not.toHaveProperty('checkedBy');
	expect(findings).toMatchObject([{about: 'landing', where: commit.slice(0, 12)}]);
	expect(findings[0]?.message).toContain(`The merge of changed has the tree `);
	expect(findings[0]?.message).toContain(`but ${other.slice(0, 12)} was checked.`);
});

test('verification names an override with its person and reason, also if its commit is elsewhere', async () => {
	const {tree, landings, findings} = await verify((commit, tree) => ({
		here: {commit, tree, more: {withoutChecks: {reason: 'The checks are down.'}}},
		there: {commit: elsewhere, tree, more: {withoutChecks: {}}},
	}));
	expect(landings).toMatchObject([
		{traceId: 'here', tree, state: 'without_checks', by: 'cli', reason: 'The checks are down.'},
		{traceId: 'there', state: 'without_checks', by: 'cli', reason: ''},
	]);
	expect(findings).toEqual([]);
});

test('verification finds an override whose commit has another tree than was approved', async () => {
	const {landings, findings} = await verify(commit => ({
		override: {commit, tree: 'f'.repeat(40), more: {withoutChecks: {reason: 'Now.'}}},
	}));
	expect(landings).toMatchObject([{state: 'different', reason: 'Now.'}]);
	expect(findings[0]?.message).toContain('was approved.');
});

test('a landing whose commit is not in this clone is named, and is no problem', async () => {
	const {landings, findings} = await verify((_, tree) => ({
		there: {commit: elsewhere, tree, more: {checkedBy: 'run-1'}},
	}));
	expect(landings).toMatchObject([{traceId: 'there', commit: elsewhere, state: 'not_here'}]);
	expect(findings).toEqual([]);
});

test('a merge that a forge made onto a base that had moved is no problem', async () => {
	const {root, git} = await createRepository({'a.txt': 'one\n'});
	const commit = await git(['rev-parse', 'HEAD']);
	const place = await filePlace();
	const bus = await place.open();
	const about = {taskId: 'gate', tree: 'f'.repeat(40), base: 'main', by: 'cli'};
	const told = {taskId: 'gate', number: 1, url: '', commit: elsewhere, tree: about.tree};
	const events = [
		planOf({...item('gate'), review: 'final'}),
		statusOf('gate', 'waiting_review'),
		createEvent('SIGNAL', {kind: 'pull_request.requested', ...about}),
		createEvent('SIGNAL', {kind: 'pull_request.pushed', ...told}),
		createEvent('SIGNAL', {kind: 'pull_request.ended', taskId: 'gate', state: 'merged', commit}),
		createEvent('VERIFICATION', {kind: 'task.completed', taskId: 'gate', status: 'completed', commit}),
	];
	for (const [index, event] of events.entries())
		await bus.append({...event, traceId: 'there'}, {id: `there/${index}`});
	const own = {root, checkout: here};
	const {landings, findings} = await verifyLog(await place.openRaw(), createFiles(), createGit(), own);
	expect(landings).toMatchObject([{traceId: 'there', commit, state: 'by_forge'}]);
	expect(findings).toEqual([]);
});
