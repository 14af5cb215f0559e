import {leadsTo, tokenVariables} from '../../colony/forge.ts';
import type {Trouble} from '../../colony/rules/rule.ts';
import type {ForgeProvider} from '../../domain/pull-request.ts';
import type {ForgeAccess, ForgeTrouble} from '../../ports/forge.ts';
import type {MachineRule} from './machine-rule.ts';
import type {MachineSurvey} from './survey.ts';
import type {ForgeState, SurveyedForge} from './surveyed-forge.ts';

/** Below this share of the rate limit the watcher waits (source/forge/watch.ts). */
const reservedShare = 0.1;

/** Of these scopes a token needs one. Tokens that name no scopes are judged by their rights alone. */
const scopesFor: Readonly<Record<ForgeProvider, readonly string[]>> = {
	github: ['repo', 'public_repo'],
	gitlab: ['api'],
};

const loginOf: Readonly<Record<ForgeProvider, string>> = {
	github: 'run "gh auth login"',
	gitlab: 'set "token" below "forge" in config.yaml',
};

/** The doctor's checks of the forge. They report nothing if `colony.yaml` names none. */
export const forgeRules: readonly MachineRule[] = [
	{
		id: 'forge-accepted',
		level: 'error',
		says: 'You have accepted that hive sends your token to the forge of the colony.',
		check: ({machine}) =>
			troubleWith(machine, ({answer, settings: {api}}) =>
				answer === undefined
					? {
							message: `you have not accepted yet that hive sends your token to ${api}`,
							fix: 'Run "hive init": it shows the forge, and accepts it.',
						}
					: undefined,
			),
	},
	{
		id: 'forge-remote',
		level: 'error',
		says: 'The remote of the forge exists, and leads to its repository.',
		check: ({machine}) => troubleWith(machine, troubleOfRemote),
	},
	{
		id: 'forge-token',
		level: 'error',
		says: 'This machine has a token that the forge accepts.',
		check: ({machine}) =>
			troubleWith(machine, ({answer, settings: {provider}}) => {
				const fix = `Set ${tokenVariables[provider][0]}, or ${loginOf[provider]}.`;
				if (answer?.state === 'no_token') return {message: 'hive has no token for the forge', fix};
				return troubleWhen(answer, ['unauthorized'], fix);
			}),
	},
	{
		id: 'forge-rights',
		level: 'error',
		says: 'The token may push to the repository of the forge, and open pull requests there.',
		check: ({machine}) =>
			troubleWith(machine, ({answer, settings: {provider, repository}}) => {
				const fix = `Get the right to push to ${repository}, or use a token that has it; then check "repository" of "forge".`;
				if (answer?.state !== 'well') return troubleWhen(answer, ['forbidden', 'not_found'], fix);
				return troubleOfRights(provider, answer.access);
			}),
	},
	{
		id: 'forge-renamed',
		level: 'warning',
		says: 'The repository of the forge has the name that the colony uses.',
		check: ({machine}) =>
			troubleWith(machine, ({answer, settings: {repository}}) => {
				if (answer?.state !== 'well' || isSame(answer.access.repository, repository)) return undefined;
				return {
					message: `the repository ${repository} is named ${answer.access.repository} now`,
					fix: 'Use the new name as "repository" of "forge", and in the address of the remote.',
				};
			}),
	},
	{
		id: 'forge-limit',
		level: 'warning',
		says: 'The forge accepts more requests of the token for now.',
		check: ({machine}) =>
			troubleWith(machine, ({answer}) => {
				const fix = 'Wait: hive goes on by itself when the forge accepts more.';
				if (answer?.state !== 'well') return troubleWhen(answer, ['limited'], fix);
				const {limit} = answer;
				if (limit === undefined || limit.remaining > limit.limit * reservedShare) return undefined;
				const until = new Date(limit.resetAt).toISOString();
				return {message: `${limit.remaining} of ${limit.limit} requests are left until ${until}`, fix};
			}),
	},
	{
		id: 'forge-webhook',
		level: 'advisory',
		says: 'The secret of the webhook at the forge is in its variable.',
		check: ({machine}) =>
			troubleWith(machine, ({hasWebhookSecret, settings: {webhookSecretEnv}}) =>
				hasWebhookSecret
					? undefined
					: {
							message: `${webhookSecretEnv} is not set, so a console here takes no deliveries of the webhook`,
							fix: `Set ${webhookSecretEnv} to the secret of the webhook, where the console runs. Without it hive asks the forge by itself.`,
						},
			),
	},
	{
		id: 'forge-reached',
		level: 'warning',
		says: 'The forge answers.',
		check: ({machine}) =>
			troubleWith(machine, ({answer, settings: {api}}) =>
				troubleWhen(
					answer,
					['unreachable', 'invalid', 'refused', 'conflict'],
					`Check the network, and that ${api} is the root of the forge's API. hive tries again by itself.`,
				),
			),
	},
];

type Words = Omit<Trouble, 'path'>;

const troubleWith = (
	{forge}: MachineSurvey,
	words: (forge: SurveyedForge) => Words | undefined,
): readonly Trouble[] => {
	const found = forge && words(forge);
	return found === undefined ? [] : [{path: '.hive/colony.yaml', ...found}];
};

const troubleWhen = (
	answer: ForgeState | undefined,
	troubles: readonly ForgeTrouble[],
	fix: string,
): Words | undefined =>
	answer?.state === 'failed' && troubles.includes(answer.trouble)
		? {message: answer.message.replace(/\.$/, ''), fix}
		: undefined;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const troubleOfRemote = ({address, settings, answer}: SurveyedForge): Words | undefined => {
	const {remote, repository} = settings;
	if (address === '')
		return {
			message: `the remote ${remote} of "forge" does not exist`,
			fix: `Add it with "git remote add ${remote} <address>", or name another one as "remote" of "forge".`,
		};
	const renamed = answer?.state === 'well' ? answer.access.repository : repository;
	if (leadsTo(address, settings) || leadsTo(address, {...settings, repository: renamed})) return undefined;
	return {
		message: `the remote ${remote} does not lead to ${repository}, where hive opens pull requests`,
		fix: `See the address with "git remote get-url --push ${remote}"; change it, or "repository" of "forge".`,
	};
};

const troubleOfRights = (
	provider: ForgeProvider,
	{login, mayPush, scopes, repository}: ForgeAccess,
): Words | undefined => {
	if (!mayPush)
		return {
			message: `${login}, whom the token belongs to, may not push to ${repository}`,
			fix: `Get the right to push there, or use a token that has it: set ${tokenVariables[provider][0]}.`,
		};
	const needed = scopesFor[provider];
	if (scopes.length === 0 || scopes.some(scope => needed.includes(scope))) return undefined;
	return {
		message: `the token has the scopes ${scopes.join(', ')}, and lacks ${needed[0]}`,
		fix: `Make a token with the scope "${needed[0]}", and set ${tokenVariables[provider][0]}.`,
	};
};
