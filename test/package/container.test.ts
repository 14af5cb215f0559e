import {execFile, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {promisify} from 'node:util';
import {expect, it} from 'vitest';
import {parse} from 'yaml';

/** The instructions of the Dockerfile, with continuation lines joined. */
const instructions = readFileSync('container/Dockerfile', 'utf8')
	.replace(/^#.*\n/gm, '')
	.replace(/\\\n/g, ' ')
	.split('\n')
	.filter(line => line.trim() !== '')
	.map(line => line.split(/\s+(.*)/s) as [string, string]);

const said = (name: string): string[] =>
	instructions.filter(([word]) => word === name).map(([, rest]) => rest.trim());

type Service = {
	readonly image?: string;
	readonly user?: string;
	readonly ports?: readonly string[];
	readonly privileged?: boolean;
	readonly network_mode?: string;
	readonly volumes: readonly string[];
	readonly networks: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly healthcheck?: object;
	readonly cap_drop?: readonly string[];
	readonly security_opt?: readonly string[];
	readonly read_only?: boolean;
	readonly pids_limit?: number;
	readonly mem_limit?: string;
};

const {services, networks} = parse(readFileSync('container/compose.yaml', 'utf8')) as {
	readonly services: Readonly<Record<'hive' | 'nats' | 'own-log', Service>>;
	readonly networks: Readonly<Record<string, {readonly internal?: boolean}>>;
};

const isPinned = (image: string): boolean => /^[\w./-]+:\d+\.\d[\w.-]*$/.test(image);
const isSecret = (text: string): boolean => /token|secret|password|passwd|api_?key|credential/i.test(text);

it('the image pins its base, runs without privileges, has a health check and contains no secret', () => {
	expect(said('FROM').map(image => isPinned(image.split(' ')[0] ?? ''))).toEqual([true, true]);
	const last = instructions.findLastIndex(([word]) => word === 'FROM');
	const user = instructions.findIndex(([word], at) => at > last && word === 'USER');
	expect(instructions[user]?.[1]).toBe('node');
	// Instructions after USER run as that user.
	expect(instructions.slice(user + 1).map(([word]) => word)).not.toContain('RUN');
	expect(said('HEALTHCHECK')).toEqual([expect.stringContaining('http://127.0.0.1:8787/')]);
	expect(said('EXPOSE')).toEqual(['8787']);
	expect(said('ENV')).toEqual(['HIVE_CONSOLE_BIND=0.0.0.0:8787']);
	expect([...said('ENV'), ...said('ARG')].filter(isSecret)).toEqual([]);
	expect(JSON.parse(said('CMD')[0] ?? '')).toEqual(['hive', 'console']);
	expect(said('ADD')).toEqual([]);
});

/** True if this machine has an image builder and can fetch the base image. Most machines lack the builder. */
const canBuild = (): boolean => {
	const [base = ''] = said('FROM')[0]?.split(' ') ?? [];
	return spawnSync('docker', ['pull', '--quiet', base], {stdio: 'ignore', timeout: 120_000}).status === 0;
};

it.runIf(canBuild())('the image builds, and contains hive', {timeout: 900_000}, async () => {
	const run = promisify(execFile);
	const {stdout} = await run('docker', ['build', '--quiet', '--file', 'container/Dockerfile', '.']);
	const answer = await run('docker', [
		'run',
		'--rm',
		'--network',
		'none',
		stdout.trim(),
		'hive',
		'--version',
	]);
	expect(answer.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('the composed containers expose the console to this machine only, and the bus to no machine', () => {
	const {hive, nats} = services;
	expect(hive.ports).toEqual(['127.0.0.1:8787:8787']);
	expect(nats.ports).toBeUndefined();
	expect(nats.networks.map(name => networks[name]?.internal)).toEqual([true]);
	expect(isPinned(nats.image ?? '')).toBe(true);
	expect(nats.user).toMatch(/^[1-9]/);
	expect(nats.healthcheck).toBeDefined();
	for (const service of [hive, nats]) {
		expect(service.cap_drop).toEqual(['ALL']);
		expect(service.security_opt).toEqual(['no-new-privileges:true']);
		expect([service.privileged, service.network_mode]).toEqual([undefined, undefined]);
		expect(service.volumes.filter(volume => /docker\.sock|^\/:/.test(volume))).toEqual([]);
		expect(Object.keys(service.environment ?? {}).filter(isSecret)).toEqual([]);
	}
});

it('every container has a read-only root and bounds of processes and memory', () => {
	for (const [name, {read_only, pids_limit, mem_limit}] of Object.entries(services)) {
		expect([name, read_only]).toEqual([name, true]);
		expect([name, Number.isInteger(pids_limit)]).toEqual([name, true]);
		expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
	}
});

it('the image takes its packages from the lockfile alone', () => {
	const commands = said('RUN').flatMap(line => line.split('&&').map(command => command.trim()));
	expect(commands.filter(command => /^npm (?!run |ci$|prune )/.test(command))).toEqual([]);
	expect(commands).toContain('npm ci');
});

it('the lockfile has the integrity of every package, also of other platforms', () => {
	const {packages} = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
		readonly packages: Readonly<Record<string, {readonly integrity?: string}>>;
	};
	const names = Object.keys(packages).filter(name => name !== '');
	expect(names.length).toBeGreaterThan(100);
	expect(names.filter(name => !packages[name]?.integrity?.startsWith('sha512-'))).toEqual([]);
});
