/**
 * Returns environment variables for the compiled code of commands and its key. All homes share one folder,
 * because a start without compiled code takes twice as long.
 */
export const sharedCache = (): {readonly XDG_CACHE_HOME?: string; readonly XDG_STATE_HOME?: string} => {
	const {XDG_CACHE_HOME: code, XDG_STATE_HOME: key} = process.env;
	return code === undefined || key === undefined ? {} : {XDG_CACHE_HOME: code, XDG_STATE_HOME: key};
};
