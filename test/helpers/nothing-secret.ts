import {redactingBus} from '../../source/dispatch/redacting.ts';
import type {Bus, RedactedBus} from '../../source/ports/bus.ts';

/** Wraps a bus for publishing with a redactor that knows no secrets. */
export const expectNoSecrets = (bus: Bus): RedactedBus => redactingBus(bus, text => text);
