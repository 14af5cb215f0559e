import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, it} from 'vitest';

/** Maximum columns, with a tab as two, as the formatter counts. */
const maxColumns = 110;

const files = ['source', 'test', 'build'].flatMap(folder =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.filter(name => /\.(ts|tsx|mjs)$/.test(name))
		.map(name => path.join(folder, name)),
);

it('no line of a comment is wider than 110 columns', () => {
	expect(files.length).toBeGreaterThan(1000);
	const wide = files.flatMap(file =>
		readFileSync(file, 'utf8')
			.split('\n')
			.flatMap((line, at) =>
				/^\s*(\/\/|\/\*|\*)/.test(line) &&
				line.replaceAll('\t', '  ').length > maxColumns &&
				!/biome-ignore|https?:/.test(line)
					? [`${file}:${at + 1}`]
					: [],
			),
	);
	expect(wide).toEqual([]);
});
