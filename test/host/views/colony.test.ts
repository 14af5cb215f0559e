import {expect, it} from 'vitest';
import {configurationProblems} from '../../../source/host/views/colony.ts';

it('names a problem once, in the words of the reactor when it has some', () => {
	const held = {path: 'bees/a.yaml', message: 'what was read before is used: no adapter'};
	const ofFiles = [
		{path: 'bees/a.yaml', message: 'no adapter'},
		{path: 'bees/b.yaml', message: 'no adapter'},
	];
	expect(configurationProblems(ofFiles, [held])).toEqual([held, ofFiles[1]]);
	expect(configurationProblems(ofFiles, [])).toEqual(ofFiles);
});
