import {describe, expect, it} from 'vitest';
import {createUpdatePreferences, readDashboardPreferences} from '../../source/host/dashboard-preferences.ts';

const folderOf = (text?: string) => {
	const kept = new Map<string, string>(text === undefined ? [] : [['/m/dashboard.json', text]]);
	return {
		kept,
		files: {
			read: async (path: string) => kept.get(path),
			write: async (path: string, written: string) => void kept.set(path, written),
		},
	};
};

describe('the stored preferences of a face', () => {
	it.each([
		...[undefined, '', '{', '[]', '{"sort":1,"archived":[]}', '{"sort":"x","archived":[1]}'],
		'{"sort":"x","archived":[],"learned":"all"}',
	])('are empty when their file contains %j', async text => {
		expect(await readDashboardPreferences(folderOf(text).files, '/m')).toEqual({
			...{sort: '', archived: [], learned: []},
		});
	});

	it('are updated one after the other, each on the latest state', async () => {
		const {files} = folderOf('{"sort":"title","archived":["a"]}');
		const remember = createUpdatePreferences(files, '/m');
		await Promise.all(
			['b', 'c'].map(id => remember(before => ({...before, archived: [...before.archived, id]}))),
		);
		expect(await readDashboardPreferences(files, '/m')).toEqual({
			...{sort: 'title', archived: ['a', 'b', 'c'], learned: []},
		});
	});

	it('have each used hint once, and keep those of other faces', async () => {
		const {files} = folderOf('{"sort":"","archived":[],"learned":["runs"]}');
		const remember = createUpdatePreferences(files, '/m');
		await Promise.all(
			['merge', 'runs'].map(name => remember(before => ({...before, learned: [...before.learned, name]}))),
		);
		expect((await readDashboardPreferences(files, '/m')).learned).toEqual(['runs', 'merge']);
	});

	it('can be updated after a failed write', async () => {
		const {files} = folderOf();
		let isFull = true;
		const write = (path: string, text: string) =>
			isFull ? Promise.reject(new Error('no space')) : files.write(path, text);
		const remember = createUpdatePreferences({...files, write}, '/m');
		await expect(remember(before => ({...before, sort: 'title'}))).rejects.toThrow('no space');
		isFull = false;
		await remember(before => ({...before, sort: 'newest'}));
		expect((await readDashboardPreferences(files, '/m')).sort).toBe('newest');
	});
});
