/**
 * Where commands that tests start keep their compiled code and its key, as a part of an environment: one
 * place for all homes, since a start without that code takes twice as long.
 */
export const sharedCache = (): {readonly XDG_CACHE_HOME?: string; readonly XDG_STATE_HOME?: string} => {
	const {XDG_CACHE_HOME: code, XDG_STATE_HOME: key} = process.env;
	return code === undefined || key === undefined ? {} : {XDG_CACHE_HOME: code, XDG_STATE_HOME: key};
};
