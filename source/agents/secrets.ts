import {secretsInAddress} from '../colony/bus-servers.ts';
import {secretsOfBus} from '../colony/bus-settings.ts';
import type {MachineFile} from '../colony/parse/machine.ts';
import {createRedactor, type Redactor} from '../domain/redact.ts';
import type {Environment} from './environment.ts';

/** The secrets of a process, and the function that removes them from a text. */
export type Secrets = {readonly values: () => readonly string[]; readonly redact: Redactor};

/** The parts about secrets of `config.yaml`, the adapters' home files and `chat.yaml`. */
type SecretSettings = Partial<Pick<MachineFile, 'adapters' | 'bus' | 'chat' | 'forge'>>;

/**
 * The secrets of an environment, with settings that may change. A secret stays one, since a run may still
 * print it.
 */
export const createSecrets = (environment: Environment, settings: () => SecretSettings): Secrets => {
	const values = new Set<string>();
	let known: SecretSettings | undefined;
	let redact: Redactor = text => text;
	const refreshSettings = (): void => {
		const now = settings();
		if (now === known) return;
		known = now;
		for (const value of secretsOf(environment, now)) values.add(value);
		redact = createRedactor(values);
	};
	return {
		values: () => {
			refreshSettings();
			return [...values];
		},
		redact: text => {
			refreshSettings();
			return redact(text);
		},
	};
};

/**
 * The values that are keys or tokens. Variables of the environment count by their name, by an adapter's
 * settings, or as the password or token in an address. The bus and chat settings are added.
 */
export const secretsOf = (
	environment: Environment,
	{adapters = {}, bus = {}, chat, forge = {}}: SecretSettings,
): string[] => {
	const keys = Object.values(adapters).flatMap(({apiKeyEnv}) => apiKeyEnv ?? []);
	const named = new Set([...keys, ...(chat?.variables ?? []), ...(forge.tokenEnv ? [forge.tokenEnv] : [])]);
	const values = Object.entries(environment).flatMap(([name, value = '']) => [
		...(named.has(name) || soundsSecret.test(name) ? [value] : []),
		...(isAddress(name, value) ? secretsInAddress(value) : []),
	]);
	const ofBus = [...secretsOfBus(bus), ...secretsInAddress(bus.url ?? '')];
	const own = [...ofBus, ...(chat?.values ?? []), forge.token ?? ''];
	return [...new Set([...values, ...own].filter(value => value !== ''))];
};

const soundsSecret = /(^|_)(API_?KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|ACCESS_KEY)$|^HIVE_.*KEY$/i;

const isAddress = (name: string, value: string): boolean =>
	name === 'HIVE_BUS_URL' || (name.startsWith('HIVE_') && value.includes('://'));
