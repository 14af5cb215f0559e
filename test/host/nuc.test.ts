import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ConfigContext} from '../../source/actions/context.ts';
import {loadColony} from '../../source/colony/load-colony.ts';
import {parseNuc, renderNuc} from '../../source/colony/nuc.ts';
import {expectAccepted, HiveError} from '../../source/domain/errors.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {exportNuc} from '../../source/host/nuc/export-nuc.ts';
import {type ImportInput, importNuc} from '../../source/host/nuc/import-nuc.ts';
import type {Files} from '../../source/ports/files.ts';
import {createRepository} from '../helpers/repository.ts';

const guard = 'adapter: script\ncommand: [sh, guard.sh]\nprompt_template: guard.md\n';
const colonyFiles = {
	'.hive/colony.yaml': 'slug: shop\ndefaults: {default_bee: guard}\n',
	'.hive/bees/guard.yaml': guard,
	'.hive/bees/guard.local.yaml': 'prompt_template: secret.md\n',
	'.hive/bees/builder.yaml': 'adapter: script\ncommand: [sh, build.sh]\n',
	'.hive/prompts/guard.md': 'Look at {{.Task}}.\n',
	'.hive/prompts/secret.md': 'Only here.\n',
	'.hive/prompts/_partials/how.md': 'With care.\n',
	'.hive/cues/go.yaml': 'emit: signal\ntype: SIGNAL\nkind: go\n',
};

const contextFor = async (files: Readonly<Record<string, string>>, driver: Files = createFiles()) => {
	const repository = await createRepository(files);
	const context: ConfigContext = {
		colony: expectAccepted(await loadColony(driver, repository.root)),
		files: driver,
		insideRun: undefined,
	};
	return {...repository, context};
};

const everything = {bees: [], cues: [], name: undefined, description: undefined};

const filesBelow = async (root: string): Promise<Record<string, string>> => {
	const names = await readdir(join(root, '.hive'), {recursive: true, withFileTypes: true});
	const paths = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
	return Object.fromEntries(
		await Promise.all(
			paths.sort().map(async path => [path.slice(root.length + 1), await readFile(path, 'utf8')]),
		),
	);
};

describe('exporting a nuc', () => {
	it.each(['.hive/prompts/_partials/key.md', '.hive/bees/guard.yaml', '.hive/cues/go.yaml'])(
		'exports nothing that is reached through a link: %s',
		async path => {
			const {context, root, link, remove} = await contextFor(colonyFiles);
			await remove(path);
			await link(path, join(root, '.hive/prompts/guard.md'));
			const prompts = new Map([...context.colony.prompts, ['_partials/key.md', 'x']]);
			const linked = {...context, colony: {...context.colony, prompts}};
			expect(await exportNuc(linked, everything)).toMatchObject({
				ok: false,
				refusal: {code: 'invalid_nuc', details: [{path}]},
			});
		},
	);

	it('includes the named bees with their templates and all partials, but no local files', async () => {
		const {context} = await contextFor(colonyFiles);
		const {nuc} = expectAccepted(await exportNuc(context, {...everything, bees: ['guard']}));
		expect([...nuc.bees]).toEqual([['guard', guard]]);
		expect([...nuc.prompts.keys()].sort()).toEqual(['_partials/how.md', 'guard.md']);
		expect([...nuc.cues]).toEqual([]);
	});

	it('includes only a cue when only a cue is named, and everything when nothing is named', async () => {
		const {context} = await contextFor(colonyFiles);
		const {nuc: one} = expectAccepted(await exportNuc(context, {...everything, cues: ['go']}));
		expect([one.bees.size, one.prompts.size, [...one.cues.keys()]]).toEqual([0, 0, ['go']]);
		const {nuc: all, text} = expectAccepted(await exportNuc(context, everything));
		expect([[...all.bees.keys()].sort(), [...all.cues.keys()]]).toEqual([['builder', 'guard'], ['go']]);
		expect((await parseNuc('n.yaml', text)).value).toEqual(all);
	});

	it('refuses unknown names, with the nearest name for each', async () => {
		const {context} = await contextFor(colonyFiles);
		const refused = await exportNuc(context, {...everything, bees: ['gard'], cues: ['../x']});
		expect(refused).toMatchObject({
			ok: false,
			refusal: {
				details: [{path: 'gard', hint: 'Did you mean "guard"?'}, {path: '../x'}],
			},
		});
	});
});

const nucOf = (pieces: {bees?: object; prompts?: object; cues?: object}): string =>
	renderNuc({
		name: 'n',
		description: '',
		bees: new Map(Object.entries(pieces.bees ?? {})),
		prompts: new Map(Object.entries(pieces.prompts ?? {})),
		cues: new Map(Object.entries(pieces.cues ?? {})),
	});

const importing = (text: string, more: Partial<ImportInput> = {}): ImportInput => ({
	source: 'n.yaml',
	text,
	force: false,
	dryRun: false,
	cues: [],
	...more,
});

const scout = {
	bees: {scout: 'adapter: script\ncommand: [sh, scout.sh]\n'},
	prompts: {'deep/scout.md': 'Go.\n'},
};

describe('importing a nuc', () => {
	it('includes only the named cues, and refuses an unknown one', async () => {
		const from = await contextFor({
			...colonyFiles,
			'.hive/cues/stop.yaml': colonyFiles['.hive/cues/go.yaml'],
		});
		const {text} = expectAccepted(await exportNuc(from.context, everything));
		const to = await contextFor({'.hive/colony.yaml': 'slug: other\ndefaults: {default_bee: guard}\n'});
		expect(await importNuc(to.context, importing(text, {cues: ['nope']}))).toMatchObject({
			refusal: {details: [{path: 'nope', message: 'is no cue of the nuc'}]},
		});
		expectAccepted(await importNuc(to.context, importing(text, {cues: ['stop']})));
		expect(Object.keys(await filesBelow(to.root)).filter(path => path.includes('/cues/'))).toEqual([
			'.hive/cues/stop.yaml',
		]);
	});

	it('writes its pieces, and an exported nuc arrives byte for byte', async () => {
		const from = await contextFor(colonyFiles);
		const to = await contextFor({'.hive/colony.yaml': 'slug: other\ndefaults: {default_bee: guard}\n'});
		const {text} = expectAccepted(await exportNuc(from.context, everything));
		const report = expectAccepted(await importNuc(to.context, importing(text)));
		expect(new Set(report.files.map(({does}) => does))).toEqual(new Set(['create']));
		const {'.hive/colony.yaml': _own, ...arrived} = await filesBelow(to.root);
		const {
			'.hive/colony.yaml': _other,
			'.hive/bees/guard.local.yaml': _local,
			'.hive/prompts/secret.md': _secret,
			...sent
		} = colonyFiles;
		expect(arrived).toEqual(sent);
	});

	it('writes nothing when one of its bees is broken', async () => {
		const {root, context} = await contextFor(colonyFiles);
		const before = await filesBelow(root);
		const text = nucOf({bees: {...scout.bees, worse: 'adapter: script\n'}, prompts: scout.prompts});
		const refused = await importNuc(context, importing(text));
		expect(refused).toMatchObject({
			ok: false,
			refusal: {code: 'invalid_nuc', details: [{message: 'a script bee needs a "command"'}]},
		});
		expect(await filesBelow(root)).toEqual(before);
	});

	it.each([
		['a prompt that is not in it', {bees: {x: 'prompt_template: none.md\n'}}, 'which is not there'],
		[
			'a prompt that does not render',
			{bees: {x: 'prompt_template: x.md\n'}, prompts: {'x.md': '{{.Nope}}'}},
			'Nope',
		],
		['a sector that the colony lacks', {bees: {x: `${guard}sector: web\n`}}, 'sector "web"'],
		['a cue for a bee that is not there', {cues: {x: 'emit: task\nbee: nobody\n'}}, 'no bee "nobody"'],
		['a role that another file has', {bees: {x: `role: guard\n${guard}`}}, 'is taken by'],
	])('checks the colony as it would be after the import: %s', async (_, pieces, words) => {
		const {root, context} = await contextFor(colonyFiles);
		const before = await filesBelow(root);
		const refused = await importNuc(context, importing(nucOf(pieces)));
		expect(refused.ok ? '' : refused.refusal.details.map(({message}) => message).join()).toContain(words);
		expect(await filesBelow(root)).toEqual(before);
	});

	it('is not blocked by existing errors of the colony', async () => {
		const {context} = await contextFor({...colonyFiles, '.hive/bees/broken.yaml': 'adapter: gamma\n'});
		expect((await importNuc(context, importing(nucOf(scout)))).ok).toBe(true);
	});

	it('keeps different files unless forced, and recognises equal files', async () => {
		const {context, read} = await contextFor(colonyFiles);
		const text = nucOf({
			bees: {guard: `${guard}timeout: 1m\n`, builder: colonyFiles['.hive/bees/builder.yaml']},
		});
		const kept = expectAccepted(await importNuc(context, importing(text)));
		expect(kept.files.map(({does}) => does)).toEqual(['same', 'kept']);
		expect(await read('.hive/bees/guard.yaml')).toBe(guard);
		const forced = expectAccepted(await importNuc(context, importing(text, {force: true})));
		expect(forced.files.map(({does}) => does)).toEqual(['same', 'replace']);
		expect(await read('.hive/bees/guard.yaml')).toContain('timeout: 1m');
	});

	it('replaces a bee in its existing file', async () => {
		const {context, exists} = await contextFor({
			...colonyFiles,
			'.hive/bees/old-name.yaml': `role: scout\n${guard}`,
		});
		const report = expectAccepted(await importNuc(context, importing(nucOf(scout), {force: true})));
		expect(report.files[0]).toEqual({path: '.hive/bees/old-name.yaml', does: 'replace'});
		expect(await exists('.hive/bees/scout.yaml')).toBe(false);
	});

	it('only reports its changes in a dry run', async () => {
		const {root, context} = await contextFor(colonyFiles);
		const before = await filesBelow(root);
		const report = expectAccepted(await importNuc(context, importing(nucOf(scout), {dryRun: true})));
		expect(report.files.map(({does}) => does)).toEqual(['create', 'create']);
		expect(await filesBelow(root)).toEqual(before);
	});

	it.each(['.hive/prompts/deep', '.hive/prompts/deep/scout.md', '.hive/bees/scout.yaml'])(
		'never writes through a link: %s',
		async path => {
			const {root, context, link, write, exists} = await contextFor(colonyFiles);
			if (path.endsWith('scout.md')) await write('.hive/prompts/deep/other.md', 'x');
			await link(path, join(root, 'outside'));
			const refused = await importNuc(context, importing(nucOf(scout)));
			expect(refused).toMatchObject({ok: false, refusal: {code: 'invalid_nuc', details: [{path}]}});
			expect(await exists('outside')).toBe(false);
			expect(await exists('.hive/bees/scout.yaml')).toBe(path === '.hive/bees/scout.yaml');
		},
	);

	it('restores everything when a file cannot be written', async () => {
		const files = createFiles();
		const {root, context} = await contextFor(colonyFiles, {
			...files,
			write: async (path, text) => {
				if (path.endsWith('.md')) throw new HiveError('internal', {message: 'The disk is full.'});
				await files.write(path, text);
			},
		});
		const before = await filesBelow(root);
		const pieces = {...scout, bees: {...scout.bees, guard: `${guard}timeout: 1m\n`}};
		await expect(importNuc(context, importing(nucOf(pieces), {force: true}))).rejects.toThrow('disk is full');
		expect(await filesBelow(root)).toEqual(before);
	});

	it('is refused for agents', async () => {
		const {context} = await contextFor(colonyFiles);
		const inside = {...context, insideRun: {traceId: 't', agentId: 'a'}};
		expect(await importNuc(inside, importing(nucOf(scout)))).toMatchObject({
			refusal: {code: 'not_for_agents'},
		});
	});
});
