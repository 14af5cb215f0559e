/** The current folder, or undefined if it was removed, as a worktree is after its merge. */
export const currentFolder = (): string | undefined => {
	try {
		return process.cwd();
	} catch {
		return undefined;
	}
};
