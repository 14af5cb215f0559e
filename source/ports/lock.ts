/** A lock that the kernel frees when its holder dies. */
export type Lock = {
	/** Takes it when it is free; false when another process holds it. */
	readonly take: () => boolean;
	readonly release: () => void;
};
