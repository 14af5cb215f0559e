import type {Payload} from './event.ts';
import type {Task} from './task.ts';

/** `task.ready` as the runtime announces it and as a retry repeats it (docs/rules.md §4). */
export const readyPayload = ({taskId, title, body, bee, sector, intent}: Task): Payload => ({
	kind: 'task.ready',
	taskId,
	title,
	body,
	bee,
	...(sector === undefined ? {} : {sector}),
	...(intent === undefined ? {} : {intent}),
});
