import * as z from 'zod/mini';
import {errorTable} from '../domain/error-table.ts';
import {inputFields} from '../host/actions/input-fields.ts';
import {type ActionId, actionIds, actionTable} from '../host/actions/table.ts';
import {addresses} from './addresses.ts';
import type {Read} from './read.ts';
import {markInput} from './routes/review-marks.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const parametersIn = (path: string) =>
	[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
		name,
		in: 'path',
		required: true,
		schema: {type: 'string'},
	}));

const template = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const problem = {
	description: 'Why the request failed; `code` is an error code of `hive`.',
	content: {'application/problem+json': {schema: {$ref: '#/components/schemas/Problem'}}},
};

const answers = (status: number) => ({
	[status]: {description: 'Done.', content: {'application/json': {schema: {type: 'object'}}}},
	default: problem,
});

const schemaOf = (input: z.ZodMiniObject, io: 'input' | 'output' = 'input'): Schema => {
	const {$schema: _, ...schema} = z.toJSONSchema(input, {io, unrepresentable: 'any'});
	return schema;
};

/** `get.traces.traceId.tasks`: unique, since a path has one operation of each method. */
const operationIdOf = (method: string, path: string): string =>
	[method, ...path.replace(/^\/api\//, '').split('/')].join('.').replaceAll(':', '');

const readOperation = ({path, summary, query}: Read) => ({
	operationId: operationIdOf('get', path),
	summary,
	parameters: [
		...parametersIn(path),
		...Object.entries(query === undefined ? {} : (schemaOf(query).properties ?? {})).map(
			([name, schema]) => ({
				name,
				in: 'query',
				schema,
			}),
		),
	],
	responses: answers(200),
});

const actionOperation = (id: ActionId, path: string, isFirst: boolean) => {
	const {summary, description, input} = actionTable[id];
	const {makes, defaults = {}, fieldAliases = {}, forbiddenFields = []} = addresses[id];
	const {properties = {}, required = []} = schemaOf(input);
	const notes = new Map(inputFields({input}).map(({name, ...field}) => [name, field]));
	const described = (name: string, schema: unknown): object => {
		const field = notes.get(name);
		return {
			...Object(schema),
			...(field === undefined ? {} : {description: field.summary}),
			...(field?.initially === undefined ? {} : {default: field.initially}),
		};
	};
	const inPath = parametersIn(path).map(({name}) => name);
	const byOwnName = new Map(Object.entries(fieldAliases).map(([alias, name]) => [name, alias]));
	const fields = Object.entries(properties).filter(
		([name]) => !inPath.includes(name) && !forbiddenFields.includes(name),
	);
	return {
		operationId: isFirst ? id : `${id}.byBody`,
		summary,
		...(description === undefined ? {} : {description}),
		parameters: [
			...parametersIn(path),
			{name: 'Idempotency-Key', in: 'header', schema: {type: 'string'}},
			{name: 'If-Match', in: 'header', schema: {type: 'string'}},
		],
		requestBody: {
			content: {
				'application/json': {
					schema: {
						type: 'object',
						properties: Object.fromEntries(
							fields.map(([name, schema]) => [
								isFirst ? name : (byOwnName.get(name) ?? name),
								described(name, schema),
							]),
						),
						required: required.filter(
							name => fields.some(([field]) => field === name) && !(name in defaults) && name !== 'items',
						),
					},
				},
			},
		},
		responses: answers(makes ? 201 : 200),
	};
};

/** All routes as an OpenAPI 3.1 document. */
export const openApiOf = (reads: readonly Read[], version: string) => ({
	openapi: '3.1.0',
	info: {title: 'hive console', version},
	security: [{bearer: []}, {cookie: [], proof: []}],
	paths: pathsOf(reads),
	components: {
		securitySchemes: {
			bearer: {type: 'http', scheme: 'bearer'},
			cookie: {type: 'apiKey', in: 'cookie', name: 'hive'},
			proof: {type: 'apiKey', in: 'header', name: 'X-Hive-Page'},
			signature: {type: 'apiKey', in: 'header', name: 'X-Hub-Signature-256'},
			webhookToken: {type: 'apiKey', in: 'header', name: 'X-Gitlab-Token'},
		},
		schemas: {
			Problem: {
				type: 'object',
				required: ['status', 'title', 'detail', 'code', 'hint'],
				properties: {
					type: {type: 'string'},
					status: {enum: [...new Set(Object.values(errorTable).map(({http}) => http))].sort()},
					title: {type: 'string'},
					detail: {type: 'string'},
					code: {enum: Object.keys(errorTable)},
					hint: {type: 'string'},
					errors: {
						type: 'array',
						items: {type: 'object', properties: {path: {type: 'string'}, message: {type: 'string'}}},
					},
				},
			},
		},
	},
});

/** Routes that are neither an action nor a view. */
const others = {
	'/api/login': {
		post: {
			summary:
				'Exchange the code of a link, or a token, for a cookie and the proof that is sent with it as X-Hive-Page.',
			security: [],
			requestBody: {
				content: {
					'application/json': {
						schema: {type: 'object', properties: {code: {type: 'string'}, token: {type: 'string'}}},
					},
				},
			},
			responses: answers(200),
		},
	},
	'/api/forge/webhook': {
		post: {
			summary:
				'Take a delivery of the webhook at the forge: hive then looks at the forge. 404 unless the variable of "webhook_secret_env" has its secret.',
			security: [{signature: []}, {webhookToken: []}],
			responses: answers(200),
		},
	},
	'/api/logout': {
		post: {
			summary: 'Log out: the browser forgets its cookie, and the console its device.',
			responses: answers(200),
		},
	},
	'/api/devices/:device': {
		delete: {
			summary: 'Revoke a device: it is logged out, and its streams end, at once.',
			parameters: parametersIn('/api/devices/:device'),
			responses: answers(200),
		},
	},
	'/api/review-marks': {
		post: {
			summary: 'Mark a file of a review as reviewed with its content, or remove that mark.',
			requestBody: {content: {'application/json': {schema: schemaOf(markInput)}}},
			responses: answers(200),
		},
	},
	'/api/runtime/start': {
		post: {
			summary: 'Start a reactor beside the console unless one is alive; refused where it serves alone.',
			responses: answers(200),
		},
	},
	'/api/runtime/stop': {
		post: {
			summary: 'Stop the reactor of the console: nothing new is started, and runs go on.',
			responses: answers(200),
		},
	},
	'/api/openapi.json': {get: {summary: 'This document.', responses: answers(200)}},
	'/api/stream': {
		get: {
			summary:
				'Every event once, as server-sent events whose id is the sequence; "Last-Event-ID" continues after that event.',
			parameters: [
				{name: 'Last-Event-ID', in: 'header', schema: {type: 'integer'}},
				{name: 'after', in: 'query', schema: {type: 'integer'}},
			],
			responses: {
				200: {
					description: 'The stream, until the client closes it.',
					content: {'text/event-stream': {schema: {type: 'string'}}},
				},
				default: problem,
			},
		},
	},
};

const pathsOf = (reads: readonly Read[]) => {
	const paths: Record<string, Record<string, object>> = Object.fromEntries(
		Object.entries(others).map(([path, operations]) => [
			template(path),
			Object.fromEntries(
				Object.entries(operations).map(([method, operation]) => [
					method,
					{operationId: operationIdOf(method, path), ...operation},
				]),
			),
		]),
	);
	const add = (path: string, method: string, operation: object): void => {
		paths[template(path)] = {...paths[template(path)], [method]: operation};
	};
	for (const read of reads) add(read.path, 'get', readOperation(read));
	for (const id of actionIds)
		for (const [index, path] of addresses[id].paths.entries())
			add(path, 'post', actionOperation(id, path, index === 0));
	return paths;
};
