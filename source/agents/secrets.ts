import {createRedactor, type Redactor} from '../domain/redact.ts';
import type {Environment, SettingsByAdapter} from './environment.ts';

/** The secrets of a process, and what takes them out of a text. */
export type Secrets = {readonly values: () => readonly string[]; readonly redact: Redactor};

/** Those of an environment under settings that may change. What was secret once stays so: a run may still print it. */
export const createSecrets = (environment: Environment, settings: () => SettingsByAdapter): Secrets => {
	const values = new Set<string>();
	let known: SettingsByAdapter | undefined;
	let redact: Redactor = text => text;
	const look = (): void => {
		const now = settings();
		if (now === known) return;
		known = now;
		for (const value of secretsOf(environment, now)) values.add(value);
		redact = createRedactor(values);
	};
	return {
		values: () => {
			look();
			return [...values];
		},
		redact: text => {
			look();
			return redact(text);
		},
	};
};

/**
 * Values of the environment that are keys or tokens: by their names, because an adapter's settings say so, or as the
 * password in an address.
 */
export const secretsOf = (environment: Environment, settings: SettingsByAdapter): string[] => {
	const named = new Set(Object.values(settings).flatMap(({apiKeyEnv}) => apiKeyEnv ?? []));
	const values = Object.entries(environment).flatMap(([name, value = '']) => [
		...(named.has(name) || soundsSecret.test(name) ? [value] : []),
		...(name.startsWith('HIVE_') ? passwordIn(value) : []),
	]);
	return [...new Set(values.filter(value => value !== ''))];
};

const soundsSecret = /(^|_)(API_?KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|ACCESS_KEY)$|^HIVE_.*KEY$/i;

const passwordIn = (text: string): string[] => {
	const written = /^\w+:\/\/[^/@]*:([^/@]+)@/.exec(text)?.[1];
	return written === undefined ? [] : [written, decodeURIComponentSafely(written)];
};

const decodeURIComponentSafely = (text: string): string => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};
