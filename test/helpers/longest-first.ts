import {BaseSequencer, type TestSpecification} from 'vitest/node';

/** They take longest, and would end a run alone. A fresh clone knows no times, so they are named. */
const longest = [
	...['chaos/crash-points', 'e2e/take-over', 'e2e/three-machines', 'e2e/ended-runs', 'faults/sessions'],
	...['actions/damage', 'actions/lost-refs', 'faults/bus-address', 'e2e/cost-of-a-run', 'e2e/demo'],
	...['dashboard/random/random-keys', 'dashboard/matrix', 'simulator/simulator'],
];

export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isLong = ({moduleId}: TestSpecification) =>
			longest.some(name => moduleId.includes(`/test/${name}.test.`));
		const sorted = await super.sort(files);
		return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))];
	}
}
