/** A lock that the kernel frees when its holder dies. */
export type Lock = {
	/** Takes the lock if it is free. Returns false if another process holds it. */
	readonly take: () => boolean;
	readonly release: () => void;
};
