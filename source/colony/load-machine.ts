import {join} from 'node:path';
import {accepted, type Detail, type Outcome} from '../domain/errors.ts';
import type {Files} from '../ports/files.ts';
import {chatSecrets} from './chat-secrets.ts';
import {adapters} from './colony.ts';
import {type MachineFile, namedKey, parseAdapterYaml, parseMachineYaml} from './parse/machine.ts';
import {readAnew} from './parse/read-anew.ts';
import type {ReadYaml} from './parse/yaml-tree.ts';
import {refuseConfig} from './refuse-config.ts';

/** The machine-local directory's own file; without it nothing is known of the checkout. */
export const machineFile = 'config.yaml';

/** How this person is told and answers in a chat; what is wrong with it is found by who reads it for that. */
export const chatFile = 'chat.yaml';

export type Machine = MachineFile & {
	/** What is wrong with `adapters/*.yaml`. Of such a file only the key counts, so that it stays secret. */
	readonly problems: readonly Detail[];
	/** Of `config.yaml`. */
	readonly warnings?: readonly Detail[];
};

/**
 * Reads `config.yaml`, `adapters/*.yaml` and what `chat.yaml` keeps secret of a machine-local directory;
 * nothing when it has no `config.yaml`. Refuses with `invalid_config` when that file is broken; a broken
 * adapter file is reported in `problems`.
 */
export const loadMachine = async (
	files: Pick<Files, 'read'>,
	folder: string,
	readYaml: ReadYaml = readAnew,
): Promise<Outcome<Machine | undefined>> => {
	const path = join(folder, machineFile);
	const source = await files.read(path);
	if (source === undefined) return accepted(undefined);
	const own = parseMachineYaml(path, await readYaml(source));
	if (own.value === undefined) return refuseConfig(own.problems);
	const read = await Promise.all(
		adapters.map(async name => {
			const file = join(folder, 'adapters', `${name}.yaml`);
			const text = (await files.read(file))?.trim();
			return text ? [{name, text, ...parseAdapterYaml(file, await readYaml(text))}] : [];
		}),
	);
	const found = read.flat();
	const settings = found.map(({name, text, value}) => {
		const key = value === undefined ? namedKey(text) : undefined;
		return [name, {...own.value?.adapters[name], ...value, ...(key && {apiKeyEnv: key})}];
	});
	const chat = (await files.read(join(folder, chatFile)))?.trim();
	return accepted({
		...own.value,
		...(chat && {chat: chatSecrets(chat)}),
		adapters: {...own.value.adapters, ...Object.fromEntries(settings)},
		problems: found.flatMap(({problems}) => problems),
		...(own.warnings.length > 0 && {warnings: own.warnings}),
	});
};
