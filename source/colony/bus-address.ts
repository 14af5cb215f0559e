import {HiveError} from '../domain/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address of the colony's message bus: that of the environment, else that of `config.yaml`. Nothing where neither names
 * one: the log is kept on this machine.
 */
export const busAddress = (
	env: Environment,
	machine: {readonly bus?: {readonly url?: string}} | undefined,
): string | undefined => env.HIVE_BUS_URL || machine?.bus?.url;

/** Throws `bus_unreachable` for an address: no engine is there for one, and nothing may work on another log than it names. */
export const expectEmbedded = (address: string | undefined): void => {
	if (address !== undefined) throw new HiveError('bus_unreachable', noEngineFor(address));
};

/** Why no colony is opened at an address, and what to do; without the user and the password that it may hold. */
export const noEngineFor = (address: string): {readonly message: string; readonly hint: string} => ({
	message: `The bus at ${withoutUser(address)} cannot be used: this hive has no engine for it yet.`,
	hint: 'Take HIVE_BUS_URL out of the environment, or bus.url (nats.url) out of config.yaml, to keep the log on this machine.',
});

const withoutUser = (address: string): string => address.replace(/^([a-z+.-]+:\/\/)?.*@/is, '$1');
