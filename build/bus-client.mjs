// The client of a message bus is a file of its own beside the commands: most colonies have none, and every
// command would read it.
const packages = ['transport-node', 'jetstream', 'kv', 'obj'].map(name => `@nats-io/${name}`);

/** All of the client in one file. */
export const busClient = {
	stdin: {
		contents: packages.map(name => `export * from '${name}';`).join('\n'),
		resolveDir: '.',
		sourcefile: 'bus-client.js',
	},
};

/** Has a bundle ask that file for them. */
export const busClientApart = {
	name: 'bus-client-apart',
	setup: build => {
		build.onResolve({filter: /^@nats-io\//}, ({path}) => {
			if (packages.includes(path)) return {path: './bus-client.cjs', external: true};
			return {errors: [{text: `${path} is not in bus-client.cjs.`}]};
		});
	},
};
