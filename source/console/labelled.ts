import type {NewEvent} from '../domain/event.ts';
import type {Host} from '../host/host.ts';

type Bus = Awaited<ReturnType<Host['open']>>['bus'];

/** Adds the device to every event of the console, as `device` in its payload. */
export const withDeviceLabel = (bus: Bus, device: string): Bus => {
	const labelEvent = <Event extends NewEvent>(event: Event): Event =>
		event.agentId === 'console' ? {...event, payload: {...event.payload, device}} : event;
	return {
		...bus,
		append: (event, options) => bus.append(labelEvent(event), options),
		appendAll: (events, after) =>
			bus.appendAll(
				events.map(({id, event}) => ({id, event: labelEvent(event)})),
				after,
			),
	};
};
