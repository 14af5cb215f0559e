import type {Payload} from './event.ts';
import type {Task} from './task.ts';

/** The payload of `task.ready` for the runtime's announcement and for a retry (docs/rules.md §4). */
export const readyPayload = ({taskId, title, body, bee, sector, intent}: Task): Payload => ({
	kind: 'task.ready',
	taskId,
	title,
	body,
	bee,
	...(sector === undefined ? {} : {sector}),
	...(intent === undefined ? {} : {intent}),
});
