/**
 * Variables that git sets for a program that it starts, such as a hook. They name the repository, index,
 * settings, paths and dates to use, for that program only. Programs that hive starts work in another
 * checkout. The list is `git rev-parse --local-env-vars` without numbered settings, which people use, plus
 * the variables that hooks of any kind get.
 */
const singleCallVariables =
	/^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|NAMESPACE|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|QUARANTINE_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|ATTR_SOURCE|CONFIG|CONFIG_PARAMETERS|INTERNAL_\w+|(?:LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS|REFLOG_ACTION|(?:AUTHOR|COMMITTER)_DATE|PUSH_OPTION_\w+)$/;

export const isSingleCallVariable = (name: string): boolean => singleCallVariables.test(name);
