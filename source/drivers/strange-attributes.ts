import {createHash} from 'node:crypto';
import {mkdir, readdir, readFile, symlink} from 'node:fs/promises';
import {join} from 'node:path';

type Folders = {readonly own: string; readonly common: string};
type WithScratch = <Value>(own: string, work: (folder: string) => Promise<Value>) => Promise<Value>;

type Accepted = () => Promise<ReadonlySet<string>>;

/**
 * True if the repository has `info/attributes` that no person has accepted.
 * @param common the folder that all worktrees of the repository share
 */
export const hasStrangeAttributes = async (common: string, accepted: Accepted): Promise<boolean> => {
	const bytes = await readFile(join(common, 'info', 'attributes')).catch(() => undefined);
	if (bytes === undefined || bytes.length === 0) return false;
	return !(await accepted()).has(`info/attributes=${createHash('sha256').update(bytes).digest('hex')}`);
};

/**
 * Runs the work without `info/attributes`, which any program can write, unless they are accepted. Git has no
 * setting for that. So a temporary folder replaces the repository's, with links to all of its entries but
 * those.
 *
 * @param accepted what a person accepted, as `readPlantable` notes it
 */
export const withoutStrangeAttributes = async <Value>(
	{own, common}: Folders,
	accepted: Accepted,
	withScratch: WithScratch,
	work: (env: Readonly<Record<string, string>>) => Promise<Value>,
): Promise<Value> => {
	if (!(await hasStrangeAttributes(common, accepted))) return work({});
	return withScratch(own, async folder => {
		await linkAll(common, folder, 'info');
		await mkdir(join(folder, 'info'));
		await linkAll(join(common, 'info'), join(folder, 'info'), 'attributes');
		return work({GIT_COMMON_DIR: folder});
	});
};

const linkAll = async (from: string, to: string, besides: string): Promise<void> => {
	const names = (await readdir(from)).filter(name => name !== besides);
	await Promise.all(names.map(name => symlink(join(from, name), join(to, name))));
};
