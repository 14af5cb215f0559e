/** What a login may do in the repository. */
export type Level = 'none' | 'read' | 'triage' | 'write' | 'admin';

export type MergeWay = 'merge' | 'squash' | 'rebase';

export type ModelComment = {
	readonly id: number;
	/** GitLab writes `system` notes itself. */
	readonly kind: 'whole' | 'line' | 'review' | 'system';
	readonly author: string;
	body: string;
	readonly at: string;
	/** First comment of its thread; itself if it is the first. */
	readonly thread: number;
	readonly place?: {
		readonly path: string;
		readonly line: number;
		readonly side: 'old' | 'new';
		/** Lines of the diff up to the commented one. */
		readonly hunk: string;
	};
};

export type ModelRequest = {
	readonly id: number;
	readonly number: number;
	title: string;
	body: string;
	readonly author: string;
	readonly branch: string;
	readonly base: string;
	readonly isFromFork: boolean;
	isDraft: boolean;
	state: 'open' | 'merged' | 'closed';
	/** Newest commit of the branch that the forge has seen. */
	head: string;
	mergedAs?: string;
	mergedBy?: MergeWay;
	reviewers: string[];
	labels: string[];
	comments: ModelComment[];
};

export type ModelCheck = {
	readonly id: number;
	readonly kind: 'run' | 'status';
	readonly commit: string;
	readonly name: string;
	readonly state: 'pending' | 'passed' | 'failed';
	readonly summary: string;
	readonly url: string;
};

export type ModelIssue = {
	readonly id: number;
	readonly number: number;
	readonly title: string;
	readonly body: string;
	readonly author: string;
	isOpen: boolean;
	labels: string[];
	readonly labelled: {id: number; login: string; label: string; isAdded: boolean}[];
	comments: ModelComment[];
};

/** What a forge knows of one repository, and its people. */
export type Model = {
	repository: string;
	/** Names that lead to the repository since it was renamed. */
	readonly formerNames: string[];
	readonly defaultBranch: string;
	/** Login of the token. */
	readonly login: string;
	readonly token: string;
	readonly people: Map<string, Level>;
	/** Of logins. */
	readonly numbers: Map<string, number>;
	readonly requests: ModelRequest[];
	readonly issues: ModelIssue[];
	readonly checks: ModelCheck[];
	/** An id that nothing else has. */
	readonly nextId: () => number;
	/** The next number of a request or issue. */
	readonly nextNumber: () => number;
	/** A later time at each call. */
	readonly nextTime: () => string;
};

const firstTime = Date.UTC(2026, 0, 1);

export const createModel = ({
	repository,
	token,
	login,
}: Pick<Model, 'repository' | 'token' | 'login'>): Model => {
	let [id, number, time] = [1000, 0, firstTime];
	return {
		...{repository, token, login, formerNames: [], defaultBranch: 'main'},
		...{people: new Map([[login, 'write']]), numbers: new Map()},
		...{requests: [], issues: [], checks: []},
		nextId: () => ++id,
		nextNumber: () => ++number,
		nextTime: () => {
			time += 1000;
			return new Date(time).toISOString();
		},
	};
};

/** The number of a login, which a stranger gets too. */
export const numberOfLogin = ({people, numbers}: Model, login: string): number => {
	if (!people.has(login)) people.set(login, 'none');
	const number = numbers.get(login) ?? numbers.size + 1;
	numbers.set(login, number);
	return number;
};

export const loginOfNumber = ({numbers}: Model, number: number): string | undefined =>
	[...numbers].find(([, each]) => each === number)?.[0];

export const addComment = (
	model: Model,
	to: {comments: ModelComment[]},
	comment: Pick<ModelComment, 'author' | 'body'> & Partial<Pick<ModelComment, 'kind' | 'place' | 'thread'>>,
): ModelComment => {
	const id = model.nextId();
	numberOfLogin(model, comment.author);
	const added: ModelComment = {kind: 'whole', thread: id, ...comment, id, at: model.nextTime()};
	to.comments.push(added);
	return added;
};

/** Returns false if there is no such comment. */
export const removeComment = (from: readonly {comments: ModelComment[]}[], id: number): boolean => {
	const holder = from.find(({comments}) => comments.some(comment => comment.id === id));
	if (holder === undefined) return false;
	holder.comments = holder.comments.filter(comment => comment.id !== id);
	return true;
};
