import {redactingBus} from '../../source/dispatch/redacting.ts';
import type {Bus, RedactedBus} from '../../source/ports/bus.ts';

/** A bus for what publishes, where no secret is known. */
export const expectNoSecrets = (bus: Bus): RedactedBus => redactingBus(bus, text => text);
