import {describe, expect, test} from 'vitest';
import {findProject} from '../../source/colony/scaffold/find-project.ts';

/** Finds the project of a root with these files. */
const projectOf = (files: Readonly<Record<string, string>>) =>
	findProject(new Set(Object.keys(files)), file => files[file] ?? '');

const node = JSON.stringify({scripts: {test: 'vitest run'}});

describe('the test command of a project', () => {
	test.each([
		['npm test', 'package.json', {'package.json': node}],
		['pnpm test', 'package.json', {'package.json': node, 'pnpm-lock.yaml': ''}],
		['bun run test', 'package.json', {'package.json': node, 'bun.lock': ''}],
		['just test', 'justfile', {justfile: 'default:\n  just --list\ntest *args:\n  pytest\n'}],
		['make test', 'Makefile', {Makefile: '.PHONY: test\ntest: build\n\tcc\n'}],
		['make check', 'Makefile', {Makefile: 'check:\n\tcc\n'}],
		['cargo test', 'Cargo.toml', {'Cargo.toml': ''}],
		['go test ./...', 'go.mod', {'go.mod': ''}],
		['python3 -m pytest', 'pytest.ini', {'pytest.ini': ''}],
		['uv run pytest', 'pyproject.toml', {'pyproject.toml': '[tool.pytest.ini_options]\n', 'uv.lock': ''}],
		['poetry run pytest', 'conftest.py', {'conftest.py': '', 'poetry.lock': ''}],
		['./gradlew test', 'build.gradle.kts', {'build.gradle.kts': '', gradlew: ''}],
		['mvn --batch-mode test', 'pom.xml', {'pom.xml': ''}],
	])('is "%s", by %s', (command, file, files) => {
		const {tests} = projectOf(files);
		expect([tests?.command.join(' '), tests?.file]).toEqual([command, file]);
	});

	test.each([
		['no file that names one', {'readme.md': 'make test'}],
		[
			'the script that npm writes',
			{'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}'},
		],
		['a package that cannot be read', {'package.json': '{'}],
		['a script that is no text', {'package.json': '{"scripts":{"test":["a"]}}'}],
		['a variable of that name', {Makefile: 'test := 1\nlatest:\n'}],
	])('is unknown with %s', (_, files) => {
		expect(projectOf(files)).toEqual({setup: []});
	});

	test("of its package comes before its Makefile's", () => {
		expect(projectOf({'package.json': node, Makefile: 'test:\n'}).tests?.command).toEqual(['npm', 'test']);
	});
});

test.each([
	['npm ci', {'package-lock.json': ''}],
	['yarn install --frozen-lockfile', {'yarn.lock': ''}],
	['yarn install --immutable', {'yarn.lock': '', '.yarnrc.yml': ''}],
	['uv sync', {'uv.lock': ''}],
	['poetry install', {'poetry.lock': ''}],
])('a worktree is prepared with "%s" by its lockfile', (command, files) => {
	expect(projectOf(files).setup.map(argv => argv.join(' '))).toEqual([command]);
});

test('what the installation of packages makes can be kept, a Python environment cannot', () => {
	const cache = {key: ['package.json', 'yarn.lock'], paths: ['node_modules']};
	expect(projectOf({'yarn.lock': ''})).toMatchObject({cache});
	expect(projectOf({'uv.lock': ''})).not.toHaveProperty('cache');
	expect(projectOf({'yarn.lock': '', 'uv.lock': ''})).not.toHaveProperty('cache');
});
