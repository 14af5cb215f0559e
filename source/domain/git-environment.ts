/**
 * Variables by which one git tells a program that it starts, a hook for example, which repository, index,
 * settings, paths and dates to use. They hold for that program alone: what hive starts works in another
 * checkout. All of `git rev-parse --local-env-vars` but settings by number, which people use, and those that
 * hooks of any kind get besides.
 */
const ofOneCall =
	/^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|NAMESPACE|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|QUARANTINE_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|ATTR_SOURCE|CONFIG|CONFIG_PARAMETERS|INTERNAL_\w+|(?:LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS|REFLOG_ACTION|(?:AUTHOR|COMMITTER)_DATE|PUSH_OPTION_\w+)$/;

export const isOfOneGitCall = (name: string): boolean => ofOneCall.test(name);
