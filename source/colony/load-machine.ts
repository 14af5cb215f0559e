import {join} from 'node:path';
import {accepted, type Detail, type Outcome} from '../domain/errors.ts';
import type {Files} from '../ports/files.ts';
import {chatSecrets} from './chat-secrets.ts';
import {adapters} from './colony.ts';
import {type MachineFile, namedKey, parseAdapterYaml, parseMachineYaml} from './parse/machine.ts';
import {readYamlUncached} from './parse/read-yaml-uncached.ts';
import type {ReadYaml} from './parse/yaml-tree.ts';
import {refuseConfig} from './refuse-config.ts';

/** The main file of the machine-local directory. Without it the checkout is unknown. */
export const machineFile = 'config.yaml';

/** The chat settings of this person. Its problems are reported by the code that uses them. */
export const chatFile = 'chat.yaml';

export type Machine = MachineFile & {
	/** Problems of `adapters/*.yaml`. Of a broken file only the key is used, so that it stays secret. */
	readonly problems: readonly Detail[];
	/** Warnings about `config.yaml`. */
	readonly warnings?: readonly Detail[];
};

/**
 * Reads `config.yaml`, `adapters/*.yaml` and the secrets of `chat.yaml` in a machine-local directory.
 * Undefined if it has no `config.yaml`. A broken `config.yaml` is refused with `invalid_config`; a broken
 * adapter file is reported in `problems`.
 */
export const loadMachine = async (
	files: Pick<Files, 'read'>,
	folder: string,
	readYaml: ReadYaml = readYamlUncached,
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
