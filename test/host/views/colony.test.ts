import {expect, it} from 'vitest';
import {configurationProblems} from '../../../source/host/views/colony.ts';

it("a configuration problem is listed once, with the reactor's message if there is one", () => {
	const held = {path: 'bees/a.yaml', message: 'what was read before is used: no adapter'};
	const ofFiles = [
		{path: 'bees/a.yaml', message: 'no adapter'},
		{path: 'bees/b.yaml', message: 'no adapter'},
	];
	expect(configurationProblems(ofFiles, [held])).toEqual([held, ofFiles[1]]);
	expect(configurationProblems(ofFiles, [])).toEqual(ofFiles);
});
