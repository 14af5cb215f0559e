import * as z from 'zod/mini';
import type {ForgeComment, IssueComment} from '../../../ports/forge.ts';
import {cutBody, cutName, maxComments} from '../limits.ts';
import {instant, wholeNumber, words, wordsIfAny} from '../read-shape.ts';
import type {GitlabClient} from './client.ts';
import {readWriters} from './members.ts';

const note = z.object({
	...{id: wholeNumber, body: wordsIfAny, created_at: instant, system: z.nullish(z.boolean())},
	author: z.nullish(z.object({id: wholeNumber, username: words})),
	position: z.nullish(
		z.object({
			...{new_path: z.nullish(words), old_path: z.nullish(words)},
			...{new_line: z.nullish(wholeNumber), old_line: z.nullish(wholeNumber)},
		}),
	),
});
export type Note = z.output<typeof note>;

const discussion = z.object({id: words, notes: z.array(note)});

/** A note that people wrote, with its discussion. */
export type ReadNote = {
	readonly note: Note;
	readonly discussion: string;
	/** True if the discussion is on a line or file. */
	readonly isOnDiff: boolean;
};

const deletedUser = 'ghost';

/** The notes of a request, oldest first. What GitLab itself notes is left out. */
export const readNotes = async (client: GitlabClient, number: number): Promise<readonly ReadNote[]> => {
	const path = client.inProject(`/merge_requests/${number}/discussions`);
	const discussions = await client.list(path, {}, discussion, maxComments);
	return discussions
		.flatMap(({id, notes}) => {
			const isOnDiff = Boolean(notes[0]?.position);
			return notes.filter(isWritten).map(each => ({note: each, discussion: id, isOnDiff}));
		})
		.toSorted((one, other) => Date.parse(one.note.created_at) - Date.parse(other.note.created_at))
		.slice(-maxComments);
};

/** The notes of an issue. */
export const readIssueNotes = async (client: GitlabClient, number: number): Promise<readonly Note[]> => {
	const path = client.inProject(`/issues/${number}/notes`);
	const notes = await client.list(path, {sort: 'asc', order_by: 'created_at'}, note, maxComments);
	return notes.filter(isWritten);
};

/** The same, with what their authors may do. */
export const readIssueComments = async (
	client: GitlabClient,
	number: number,
	login: string,
): Promise<readonly IssueComment[]> => {
	const notes = await readIssueNotes(client, number);
	const writers = await readWriters(
		client,
		notes.flatMap(({author}) => author?.id ?? []),
	);
	const comments = notes.map(({id, author, body}) => ({
		id,
		author: cutName(author?.username ?? deletedUser),
		mayWrite: writers.has(author?.id ?? 0),
		isOwn: author?.username === login,
		text: cutBody(body),
	}));
	return comments.toSorted((one, other) => one.id - other.id);
};

export const idOf = ({id}: Note): string => `note-${id}`;

/** @param url address of the request's page */
export const commentsOf = async (
	client: GitlabClient,
	notes: readonly ReadNote[],
	{login, url}: {readonly login: string; readonly url: string},
): Promise<readonly ForgeComment[]> => {
	const writers = await readWriters(
		client,
		notes.flatMap(({note}) => note.author?.id ?? []),
	);
	return notes.map(({note}) => ({
		id: idOf(note),
		author: cutName(note.author?.username ?? deletedUser),
		mayWrite: writers.has(note.author?.id ?? 0),
		isOwn: note.author?.username === login,
		at: note.created_at,
		text: cutBody(note.body),
		url: url === '' ? '' : `${url}#note_${note.id}`,
		...placeOf(note),
	}));
};

const isWritten = ({system}: Note): boolean => system !== true;

/** The place of a note on a line. GitLab does not give the line itself. */
const placeOf = ({position}: Note): Pick<ForgeComment, 'place'> => {
	if (!position) return {};
	const isNew = typeof position.new_line === 'number';
	const [line, path] = isNew
		? [position.new_line, position.new_path]
		: [position.old_line, position.old_path];
	if (!line || line < 1 || !path) return {};
	return {place: {path: cutName(path), line, side: isNew ? 'new' : 'old', quote: ''}};
};
