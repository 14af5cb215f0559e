import type {FaultLog} from '../../source/host/fault-log.ts';
import type {Host} from '../../source/host/host.ts';

const absent = () => Promise.reject(new Error('This host has no colony.'));

/** A fault log that records nothing. */
export const noFaults: FaultLog = {
	note: () => {},
	measure: () => {},
	opened: () => {},
	report: () => undefined,
};

/** A host without a process or colony; `given` overrides members. */
export const hostWith = (given: Partial<Host> = {}): Host => ({
	cwd: '/',
	env: {},
	faults: noFaults,
	open: absent,
	queueEvent: async () => undefined,
	configuration: absent,
	diagnose: absent,
	showContainment: absent,
	tryContained: absent,
	machineFolder: absent,
	secrets: async () => [],
	init: absent,
	tryTests: absent,
	torture: absent,
	commitColony: absent,
	react: absent,
	expectSameBus: absent,
	expectUsable: absent,
	followConfiguration: absent,
	moveBus: absent,
	verifyBus: absent,
	reactor: absent,
	spawnSelf: () => {
		throw new Error('This host starts nothing.');
	},
	terminal: absent,
	chat: absent,
	runSelf: absent,
	askSelf: absent,
	programs: absent,
	tools: absent,
	at: () => {
		throw new Error('This host has no other place.');
	},
	close: async () => {},
	...given,
});
