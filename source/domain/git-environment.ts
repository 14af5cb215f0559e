/**
 * Variables that tie a process to one git repository or call, such as those that git sets for a hook. Agents
 * do not inherit them, since they work in another checkout. The list is that of `git rev-parse
 * --local-env-vars`, plus the variables of hooks, of discovery of a repository, and of single calls.
 * GIT_CONFIG_COUNT is left out, since people set it themselves.
 */
const gitLocalVariables =
	/^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|NAMESPACE|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|QUARANTINE_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|ATTR_SOURCE|CONFIG|CONFIG_PARAMETERS|INTERNAL_\w+|(?:LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS|REFLOG_ACTION|(?:AUTHOR|COMMITTER)_DATE|PUSH_OPTION_\w+)$/;

export const isGitLocalVariable = (name: string): boolean => gitLocalVariables.test(name);
