import {contentText} from '../content.ts';
import {errorIn} from '../error-in.ts';
import {isRecord} from '../json-lines.ts';
import {textLines, toolLine} from '../readable-lines.ts';

type Json = Readonly<Record<string, unknown>>;

/** Reads one record of beta's JSON stream. Messages count when they are whole; their pieces and the closing repetition do not. */
export const readBetaRecord = (record: Json): readonly string[] => {
	const {type, message} = record;
	const error = errorIn(record);
	if (error !== undefined) return [`= failed: ${error}`];
	switch (type) {
		case 'message_end':
			return isRecord(message) && message.role === 'assistant' ? textLines(contentText(message.content)) : [];
		case 'tool_execution_start':
			return [toolLine(`${record.toolName ?? record.name ?? 'tool'}`, record.args ?? record.arguments)];
		case 'tool_execution_end':
			return record.isError === true ? [`  ${record.toolName ?? 'tool'} failed`] : [];
		case 'agent_end':
			return ['= done'];
		default:
			return isRecord(message) || typeof type === 'string' ? plainText(record) : [JSON.stringify(record)];
	}
};

/** Of a record in a form of its own: the text, when it plainly has one. */
const plainText = ({type, summary, output, text}: Json): readonly string[] => {
	if (typeof type === 'string' && /_(update|delta|start)$/.test(type)) return [];
	return textLines([summary, output, text].map(contentText).find(found => found !== '') ?? '');
};
