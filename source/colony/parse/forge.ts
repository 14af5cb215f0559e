import {approvals, forgeProviders, openPolicies, reworkPolicies} from '../../domain/pull-request.ts';
import {type ForgeSettings, forgeDefaults, isRepositoryName, mayReceiveToken, publicApis} from '../forge.ts';
import {fields, listOf, name, oneOf, type Reader, scalarOf, truth} from './reader.ts';

const api = scalarOf('an address with https, or with http on this machine, without a login', ({value}) =>
	typeof value === 'string' && mayReceiveToken(value) ? value.replace(/\/+$/, '') : undefined,
);

const repository = scalarOf('"owner/name"', ({value}) =>
	typeof value === 'string' && isRepositoryName('gitlab', value) ? value : undefined,
);

const remote = scalarOf('the name of a remote of git', ({value}) =>
	typeof value === 'string' && /^\w[\w.-]{0,99}$/.test(value) ? value : undefined,
);

const login = scalarOf('a login: letters, digits, "-", "_" and "."', ({source}) =>
	/^[\w.-]{1,100}(\[bot\])?$/.test(source) ? source : undefined,
);

const label = scalarOf('a label of at most 100 characters', ({source}) =>
	source !== '' && source.length <= 100 && !/\p{Cc}/u.test(source) ? source : undefined,
);

/** hive hides the values of variables with such names, and keeps them from agents. */
const secretVariable = scalarOf(
	'the name of a variable that ends with SECRET: HIVE_WEBHOOK_SECRET',
	({source}) => (/^([A-Z][A-Z0-9_]{0,90}_)?SECRET$/.test(source) ? source : undefined),
);
const watch = fields({label, cue: name}, ['label']);

const forgeFields = fields(
	{
		provider: oneOf(forgeProviders),
		api,
		repository,
		remote,
		on_approve: oneOf(approvals),
		open: oneOf(openPolicies),
		auto_rework: oneOf(reworkPolicies),
		draft: truth,
		reviewers: listOf(login),
		labels: listOf(label),
		trusted: listOf(login),
		webhook_secret_env: secretVariable,
		watch,
	},
	['provider', 'repository'],
);

/** Reads `forge` of `colony.yaml` (docs/rules.md §9). */
export const forge: Reader<ForgeSettings> = (tree, notes) => {
	const read = forgeFields(tree, notes);
	if (read?.provider === undefined || read.repository === undefined) return undefined;
	if (!isRepositoryName(read.provider, read.repository))
		return notes.problem(tree.line, `"${read.repository}" is no repository of ${read.provider}`);
	return {
		provider: read.provider,
		api: read.api ?? publicApis[read.provider],
		repository: read.repository,
		remote: read.remote ?? forgeDefaults.remote,
		onApprove: read.on_approve ?? forgeDefaults.onApprove,
		open: read.open ?? forgeDefaults.open,
		autoRework: read.auto_rework ?? forgeDefaults.autoRework,
		draft: read.draft ?? false,
		reviewers: read.reviewers ?? [],
		labels: read.labels ?? [],
		trusted: read.trusted ?? [],
		...(read.webhook_secret_env !== undefined && {webhookSecretEnv: read.webhook_secret_env}),
		...(read.watch?.label !== undefined && {
			watch: {label: read.watch.label, cue: read.watch.cue ?? forgeDefaults.cue},
		}),
	};
};
