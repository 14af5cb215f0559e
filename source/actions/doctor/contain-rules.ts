import type {Trouble} from '../../colony/rules/rule.ts';
import {type ContainMode, containModeOf} from '../../domain/containment.ts';
import type {Examined, MachineRule} from './machine-rule.ts';

/** The doctor's checks of containment. They find nothing where it works, or where nothing asks for it. */
export const containRules: readonly MachineRule[] = [
	{
		id: 'contain-required',
		level: 'error',
		says: 'Every bee that requires containment can be contained here.',
		check: examined => uncontained(examined, 'required', 'its runs fail, since it requires containment, and'),
	},
	{
		id: 'contain-auto',
		level: 'warning',
		says: 'Every bee that asks for containment can be contained here.',
		check: examined => uncontained(examined, 'auto', 'its runs are not contained, since'),
	},
];

/** @param words come before the reason */
const uncontained = ({containment, colony}: Examined, mode: ContainMode, words: string): Trouble[] => {
	if (containment.can || colony === undefined) return [];
	const {why, hint} = containment;
	return [...colony.bees.values()]
		.filter(({contain}) => containModeOf(contain) === mode)
		.map(({file}) => ({path: file, message: `${words} ${why}`, fix: hint}));
};
