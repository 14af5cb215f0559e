/**
 * Where commands that tests start keep their compiled code, as a part of an environment: one folder for all homes, since a start from an
 * empty one takes twice as long.
 */
export const sharedCache = (): {readonly XDG_CACHE_HOME?: string} => {
	const {XDG_CACHE_HOME: folder} = process.env;
	return folder === undefined ? {} : {XDG_CACHE_HOME: folder};
};
