import type {ForgeCheck} from '../../ports/forge.ts';
import {maxChecks} from './limits.ts';

const order: readonly ForgeCheck['state'][] = ['failed', 'pending', 'passed'];

/** At most as many checks as the limit: no passed check hides one that failed. */
export const keptChecks = (checks: readonly ForgeCheck[]): readonly ForgeCheck[] =>
	checks.length <= maxChecks
		? checks
		: checks
				.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
				.slice(0, maxChecks);
