import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, it} from 'vitest';
import {bundleApp} from './bundle-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'hive-react-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

it("React's production build describes a component's error in words", async () => {
	const program = await bundleApp(
		'test/dashboard/fixtures/broken-component.tsx',
		join(folder, 'app.mjs'),
		[],
	);
	const said = execFileSync(process.execPath, [program], {encoding: 'utf8'});
	expect(said.split('\n')).toEqual([
		expect.stringMatching(
			/^An object was given where text or a component is drawn: .* \(React error 31\)\.$/,
		),
		'A component sets its own state while it is drawn, without end (React error 301).',
		'',
	]);
});
