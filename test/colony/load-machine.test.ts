import {expect, test} from 'vitest';
import {loadMachine} from '../../source/colony/load-machine.ts';
import {parseMachineYaml, renderMachineYaml} from '../../source/colony/parse/machine.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';
import {filesInMemory} from './files-in-memory.ts';

const load = (texts: Readonly<Record<string, string>>) => {
	const paths = Object.entries(texts).map(([name, text]) => [`/home/shop/${name}`, text]);
	return loadMachine(filesInMemory(Object.fromEntries(paths)).files, '/home/shop');
};

const config = 'colony_root: /repo\nslug: shop\n';

test('a machine folder without config.yaml has no settings', async () => {
	expect(await load({'state.json': '{}'})).toEqual({ok: true, value: undefined});
});

test('the bus, the keys and the binaries of this machine are read', async () => {
	const answer = await load({
		'config.yaml': `${config}bus: {url: nats://b}\nadapters: {alpha: {api_key_env: A_KEY}}\n`,
		'adapters/alpha.yaml': 'binary: agent\n',
		'adapters/beta.yaml': 'binary: other\napi_key_env: B_KEY\n',
	});
	expect(answer).toEqual({
		ok: true,
		value: {
			colonyRoot: '/repo',
			slug: 'shop',
			bus: {url: 'nats://b'},
			adapters: {
				alpha: {binary: 'agent', apiKeyEnv: 'A_KEY'},
				beta: {binary: 'other', apiKeyEnv: 'B_KEY'},
			},
			problems: [],
		},
	});
});

test('notify has a level for each category and a method, and defaults for the rest', async () => {
	const notify =
		'notify:\n  review_final: silent\n  task.completed: off\n  by: osc9\n  command: notify-send hive\n';
	expect(await load({'config.yaml': `${config}${notify}`})).toMatchObject({
		value: {
			notify: {
				levels: {review_final: 'silent', 'task.completed': 'off', failed: 'sound', paused: 'silent'},
				by: 'osc9',
				title: true,
				command: ['notify-send', 'hive'],
			},
		},
	});
	expect(await load({'config.yaml': `${config}notify:\n  review_finl: loud\n`})).toMatchObject({
		refusal: {
			details: [{message: 'unknown key "review_finl"', hint: expect.stringContaining('review_final')}],
		},
	});
	expect(await load({'config.yaml': `${config}notify:\n  failed: loud\n`})).toMatchObject({
		refusal: {details: [{message: 'expected one of off, silent, sound'}]},
	});
});

test('prices are by model, and a negative one is refused with its line', async () => {
	const prices = 'prices:\n  opus: {input: 5, output: 25, cache_read: 0.5}\n';
	expect(await load({'config.yaml': `${config}${prices}`})).toMatchObject({
		value: {prices: new Map([['opus', {inputTokens: 5, outputTokens: 25, cacheReadTokens: 0.5}]])},
	});
	expect(await load({'config.yaml': `${config}prices:\n  opus: {input: -1}\n`})).toMatchObject({
		ok: false,
		refusal: {details: [{path: expect.stringMatching(/config\.yaml:4$/)}]},
	});
});

test('nats.url is an older name of bus.url, and bus.url wins', async () => {
	expect(await load({'config.yaml': `${config}nats: {url: nats://n}\n`})).toMatchObject({
		value: {bus: {url: 'nats://n'}},
	});
	expect(await load({'config.yaml': `${config}nats: {url: nats://n}\nbus: {url: nats://b}\n`})).toMatchObject(
		{
			value: {bus: {url: 'nats://b'}},
		},
	);
});

test('an empty adapter file is ignored', async () => {
	expect(await load({'config.yaml': config, 'adapters/beta.yaml': '\n'})).toMatchObject({
		value: {adapters: {}},
	});
});

test('a broken adapter file is reported with its line, and only its key is used, as a secret', async () => {
	const broken = 'binray: x\napi_key_env: "B_KEY" # mine\n';
	expect(await load({'config.yaml': config, 'adapters/beta.yaml': broken})).toMatchObject({
		ok: true,
		value: {
			adapters: {beta: {apiKeyEnv: 'B_KEY'}},
			problems: [{path: '/home/shop/adapters/beta.yaml:1', message: 'unknown key "binray"'}],
		},
	});
	expect(
		await load({'config.yaml': config, 'adapters/beta.yaml': 'api_key_env: B_KEY\nbinary: [x'}),
	).toMatchObject({
		value: {adapters: {beta: {apiKeyEnv: 'B_KEY'}}},
	});
});

test('a broken config.yaml is refused with its line', async () => {
	expect(await load({'config.yaml': 'slug: shop\n'})).toMatchObject({
		refusal: {message: '/home/shop/config.yaml:1: "colony_root" is missing.'},
	});
});

test('a fresh config.yaml returns the root that it was made for, whatever its name', async () => {
	const root = '/srv/a "b": #c\té';
	const {value} = parseMachineYaml('f', readYaml(renderMachineYaml(root, 'shop')));
	expect(value).toMatchObject({colonyRoot: root, slug: 'shop'});
});

test.each([
	['as it stands', 'enabled: true\nbot_token: "1:a#b"\nwebhook: {url: http://x, secret: s3cret}\n'],
	['as JSON', '{"bot_token": "1:a#b", "webhook": {"secret": "s3cret"}}'],
	['without quotes', 'bot_token: 1:a#b # of the shop\nwebhook:\n  secret: s3cret\n'],
	['though it is broken', 'bot_token: 1:a#b\nwebhook: {url: [\n secret: s3cret'],
	['though it enables nothing', "enabled: false\nbot_token: '1:a#b'\nwebhook: {secret: s3cret}\n"],
])('the token and the secret in chat.yaml are known as secrets, %s', async (_, text) => {
	expect(await load({'config.yaml': config, 'chat.yaml': text})).toMatchObject({
		value: {chat: {values: expect.arrayContaining(['1:a#b', 's3cret']), variables: []}},
	});
});

test('the variables that chat.yaml names for its token and secret are known as secrets', async () => {
	const text = 'bot_token_env: MY_BOT\nwebhook: {url: http://x, secret_env: MY_HOOK}\n';
	expect(await load({'config.yaml': config, 'chat.yaml': text})).toMatchObject({
		value: {chat: {values: [], variables: expect.arrayContaining(['MY_BOT', 'MY_HOOK'])}},
	});
});
