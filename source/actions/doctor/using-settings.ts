import type {Bee, Colony} from '../../colony/colony.ts';
import type {MachineFile} from '../../colony/parse/machine.ts';

/** The colony as this machine runs it: each bee with the program that `adapters/*.yaml` names for its adapter. */
export const usingSettings = (colony: Colony, settings: MachineFile['adapters']): Colony => ({
	...colony,
	bees: new Map([...colony.bees].map(([role, bee]) => [role, withBinary(bee, settings)])),
});

/** As the adapters choose: a command, the bee's own `binary`, the machine's, the adapter's name. */
const withBinary = (bee: Bee, settings: MachineFile['adapters']): Bee => {
	const binary = settings[bee.adapter]?.binary;
	if (binary === undefined || bee.command !== undefined || bee.params.binary !== undefined) return bee;
	return {...bee, params: {...bee.params, binary}};
};
