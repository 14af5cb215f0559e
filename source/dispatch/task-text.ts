import type {Payload, StoredEvent} from '../domain/event.ts';
import type {Task} from '../domain/task.ts';

/** Maximum characters of an event's text in a prompt (docs/rules.md §4). */
const maxTextLength = 8000;

/** The prompt text of a task: its body, else its title. */
export const textOfTask = ({taskId, title, body}: Task): string => body || title || `Do the task ${taskId}.`;

/** The prompt text of a direct run, from the event that it answers (docs/rules.md §4). */
export const textOfEvent = ({payload}: StoredEvent, diff: string): string => {
	const words = formatPayload(payload) || `An event of kind ${payload.kind} arrived.`;
	return cut(diff === '' ? words : `${words}\n\n\`\`\`diff\n${diff}\n\`\`\``);
};

const formatPayload = (payload: Payload): string => {
	const {title, body} = {title: text(payload.title), body: text(payload.body)};
	if (title && body) return `${title}\n\n${body}`;
	return body || title || text(payload.summary) || text(payload.message);
};

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const cut = (whole: string): string =>
	whole.length <= maxTextLength
		? whole
		: `${whole.slice(0, maxTextLength)}\n… (truncated, ${whole.length} characters in all)`;
