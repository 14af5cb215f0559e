import type {Bee, Colony} from '../colony/colony.ts';
import type {Bus} from '../ports/bus.ts';

/** The note of a run, written when its supervisor is about to be started. */
export type Launch = {
	/** The trace's last sequence at that time. */
	readonly sequence: number;
	/** The checkout in which it was started. */
	readonly checkout: string;
	/** Its bee at that time; absent for a verification, and for a run of an older hive. */
	readonly bee?: Bee;
};

type Launches = {readonly bus: Pick<Bus, 'bucket'>};

const launched = 'launched';

/** Writes the note. Returns false if the run already has one. */
export const writeLaunch = async ({bus}: Launches, agentId: string, launch: Launch): Promise<boolean> => {
	const {sequence, checkout, bee} = launch;
	const text = [sequence, checkout, ...(bee === undefined ? [] : [JSON.stringify(bee)])].join(' ');
	return (await bus.bucket(launched).create(agentId, text)) !== undefined;
};

export const readLaunch = async ({bus}: Launches, agentId: string): Promise<Launch | undefined> => {
	const noted = (await bus.bucket(launched).get(agentId))?.value;
	const [, sequence, checkout = '', bee] = /^(\d+)(?: (\S*)(?: (.*))?)?$/s.exec(noted ?? '') ?? [];
	if (noted === undefined) return undefined;
	return {sequence: Number(sequence), checkout, ...(bee === undefined ? {} : {bee: JSON.parse(bee)})};
};

/**
 * Returns the colony with the run's bee as it was when the run began, if the bee's file is gone or broken by
 * now.
 */
export const withBeeOfRun = async (
	ports: Launches,
	colony: Colony,
	{agentId, bee: role}: {readonly agentId: string; readonly bee: string},
): Promise<Colony> => {
	if (colony.bees.has(role)) return colony;
	const bee = (await readLaunch(ports, agentId))?.bee;
	return bee === undefined ? colony : {...colony, bees: new Map([...colony.bees, [role, bee]])};
};
