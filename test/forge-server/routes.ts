import type {Model} from './model.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A call of a client, with the parts of its path that the route names. */
export type Asked = {
	readonly parts: readonly string[];
	readonly query: URLSearchParams;
	readonly body: Json;
	/** Address of this path, without its query. */
	readonly url: string;
};

export type Answer = {
	readonly status?: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

/** Git of the bare repository. */
export type Git = (args: readonly string[]) => Promise<string>;

export type World = {readonly model: Model; readonly git: Git; readonly url: string};

export type Route = {
	readonly method: string;
	/** After the root of the API. */
	readonly path: RegExp;
	readonly answer: (world: World, asked: Asked) => Answer | Promise<Answer>;
};

export const route = (method: string, path: string, answer: Route['answer']): Route => ({
	method,
	path: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`),
	answer,
});

/** One page of a list, with the addresses of the next and the last. */
export const pageOf = (
	items: readonly unknown[],
	{query, url}: Asked,
	wrap = (part: unknown): unknown => part,
) => {
	const size = Math.min(Number(query.get('per_page') ?? 20), 100);
	const page = Number(query.get('page') ?? 1);
	const last = Math.max(Math.ceil(items.length / size), 1);
	const address = (number: number): string => {
		const named = new URLSearchParams(query);
		named.set('page', String(number));
		return `<${url}?${named}>`;
	};
	const links = [
		...(page < last ? [`${address(page + 1)}; rel="next"`, `${address(last)}; rel="last"`] : []),
		...(page > 1 ? [`${address(1)}; rel="first"`] : []),
	];
	return {
		body: wrap(items.slice((page - 1) * size, page * size)),
		headers: {...(links.length > 0 && {link: links.join(', ')})},
	};
};

/** Looks at the branch, since a push does not tell the forge's model. */
export const freshRequests = async ({model, git}: World): Promise<Model['requests']> => {
	for (const request of model.requests) {
		if (request.state !== 'open' || request.isFromFork) continue;
		const head = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${request.branch}`]).catch(
			() => '',
		);
		if (head !== '') request.head = head;
	}
	return model.requests;
};

export const commitOf = ({git}: World, branch: string): Promise<string | undefined> =>
	git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]).catch(() => undefined);
