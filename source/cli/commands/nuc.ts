import path from 'node:path';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {formatCount} from '../../domain/format-count.ts';
import {exportNuc} from '../../host/nuc/export-nuc.ts';
import {type ImportReport, importNuc} from '../../host/nuc/import-nuc.ts';
import {readNucFile} from '../../host/nuc/read-nuc.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {boolean, repeatable, text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const nucExport = command({
	path: 'nuc export',
	summary: 'Put bees, cues and their prompts into one file for another colony.',
	description:
		'Without --bees and --cues everything is exported, otherwise what they name. A bee is exported with its templates and their partials. Settings in *.local.yaml are not exported.',
	flags: {
		bees: repeatable({summary: 'Bees to export, separated by commas.', hint: '<role,…>', complete: 'bees'}),
		cues: repeatable({summary: 'Cues to export, separated by commas.', hint: '<id,…>', complete: 'cues'}),
		name: text({summary: "Name of the nuc; default: the colony's slug.", hint: '<name>'}),
		description: text({summary: 'Purpose of the nuc.'}),
		out: text({
			summary: 'Write it to this file; - is standard output.',
			hint: '<file|->',
			short: 'o',
			complete: 'files',
		}),
	},
	examples: ['nuc export -o nuc.yaml', 'nuc export --bees builder,guard --cues hotfix -o review.yaml'],
	json: '{v, name, description, bees, prompts, cues, file, text}',
	run: async ({bees, cues, name, description, out}, commandContext) => {
		const context = await commandContext.configuration();
		const made = await exportNuc(context, {bees: names(bees), cues: names(cues), name, description});
		if (!made.ok) return made;
		const {nuc, text} = made.value;
		const file = out === undefined || out === '-' ? undefined : path.resolve(commandContext.cwd, out);
		if (file !== undefined) await context.files.write(file, text);
		const parts = {bees: [...nuc.bees.keys()], prompts: [...nuc.prompts.keys()], cues: [...nuc.cues.keys()]};
		// A pipe or a file gets the exact bytes; output to a terminal is sanitized.
		if (file === undefined && !commandContext.json && !commandContext.stdout.isTTY)
			return accepted({bytes: inOneChunk(text)});
		return accepted({
			json: {name: nuc.name, description: nuc.description, ...parts, file: file ?? '', text},
			text:
				file === undefined
					? text.trimEnd()
					: `Written to ${file}: ${formatCount(parts.bees.length, 'bee')}, ${formatCount(parts.prompts.length, 'prompt')}, ${formatCount(parts.cues.length, 'cue')}.`,
		});
	},
});

async function* inOneChunk(text: string): AsyncGenerator<Uint8Array> {
	yield Buffer.from(text);
}

const names = (given: readonly string[]): string[] =>
	given
		.flatMap(list => list.split(','))
		.map(name => name.trim())
		.filter(name => name !== '');

export const nucImport = command({
	path: 'nuc import',
	summary: 'Add the bees, cues and prompts of a nuc to this colony, all at once.',
	description:
		'Reads a file, or standard input for "-"; nothing is fetched from the network. The resulting colony is checked first; with any error nothing is written. Existing files that differ are kept unless --force is given.',
	flags: {
		cues: repeatable({
			summary: 'Import only these cues, separated by commas.',
			hint: '<id,…>',
		}),
		force: boolean({summary: 'Replace files that differ.'}),
		dryRun: boolean({summary: 'Show what would be written, and write nothing.'}),
	},
	arguments: {
		source: text({summary: 'A nuc file, or -.', hint: '<file|->', required: true, complete: 'files'}),
	},
	examples: ['nuc import nuc.yaml --dry-run', 'nuc import - < nuc.yaml', 'nuc import nuc.yaml --cues hotfix'],
	json: '{v, name, description, dryRun, files: [{path, does: create|replace|same|kept}]}',
	run: async ({source, cues, force, dryRun}, commandContext) => {
		const context = await commandContext.configuration();
		const read = await readSource(source, commandContext, context);
		if (!read.ok) return read;
		const label = source === '-' ? 'standard input' : source;
		const imported = await importNuc(context, {
			...{source: label, text: read.value, force, dryRun},
			cues: names(cues),
		});
		if (!imported.ok) return imported;
		return accepted({
			json: {...imported.value, dryRun},
			text: async () => [
				...(await renderTable(
					[{title: 'FILE'}, {title: dryRun ? 'WOULD' : 'DONE'}],
					imported.value.files.map(({path: file, does}) => [file, does]),
					commandContext.stdout.columns,
				)),
				`\n\n${closing(imported.value, dryRun)}`,
			],
		});
	},
});

const readSource = async (
	source: string,
	commandContext: CommandContext,
	context: Parameters<typeof readNucFile>[0],
): Promise<Outcome<string>> => {
	if (source === '-') return accepted(await commandContext.stdin());
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source))
		return refuse('usage', {
			message: 'A nuc is not fetched from the network.',
			hint: 'Download it, look at it, then import the file.',
		});
	return readNucFile(context, path.resolve(commandContext.cwd, source));
};

const closing = ({name, files}: ImportReport, dryRun: boolean): string => {
	const kept = files.filter(({does}) => does === 'kept').length;
	const isChanged = files.some(({does}) => does === 'create' || does === 'replace');
	const hint = kept === 0 ? '' : ` ${kept} differ and are kept; --force replaces them.`;
	return `${name}: ${dryRun || !isChanged ? 'nothing was written.' : 'imported. Next: hive doctor.'}${hint}`;
};
