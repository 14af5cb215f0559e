import type {Payload, StoredEvent} from '../domain/event.ts';
import type {Task} from '../domain/task.ts';

/** What an event's text is cut to in a prompt, in characters (docs/rules.md §4). */
const longestText = 8000;

/** What a task's run is asked to do: its body, else its title. */
export const textOfTask = ({taskId, title, body}: Task): string => body || title || `Do the task ${taskId}.`;

/** What a direct run is asked to do about the event it answers (docs/rules.md §4). */
export const textOfEvent = ({payload}: StoredEvent, diff: string): string => {
	const words = wordsOf(payload) || `An event of kind ${payload.kind} arrived.`;
	return cut(diff === '' ? words : `${words}\n\n\`\`\`diff\n${diff}\n\`\`\``);
};

const wordsOf = (payload: Payload): string => {
	const {title, body} = {title: text(payload.title), body: text(payload.body)};
	if (title && body) return `${title}\n\n${body}`;
	return body || title || text(payload.summary) || text(payload.message);
};

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const cut = (whole: string): string =>
	whole.length <= longestText
		? whole
		: `${whole.slice(0, longestText)}\n… (truncated, ${whole.length} characters in all)`;
