import {BaseSequencer, type TestSpecification} from 'vitest/node';

/**
 * The slowest files start first, so that none runs alone at the end. A fresh clone has no timings, so they
 * are named here.
 */
const slowTestFiles = [
	...['chaos/crash-points', 'e2e/take-over', 'e2e/three-machines', 'e2e/ended-runs', 'faults/sessions'],
	...['actions/damage', 'actions/lost-refs', 'faults/bus-address', 'e2e/cost-of-a-run', 'e2e/demo'],
	...['dashboard/random/random-keys', 'dashboard/matrix', 'simulator/simulator'],
];

export class SlowestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isSlow = ({moduleId}: TestSpecification) =>
			slowTestFiles.some(name => moduleId.includes(`/test/${name}.test.`));
		const sorted = await super.sort(files);
		return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))];
	}
}
