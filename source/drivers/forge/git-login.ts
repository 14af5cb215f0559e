import {mkdir, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ForgePlace} from '../../ports/forge.ts';

/**
 * Git asks this program for a login. It answers for the host of the forge alone, so that no other address
 * gets the token.
 */
const askpass = `#!/bin/sh
case "$1" in
*"://$HIVE_FORGE_HOST'"* | *"://$HIVE_FORGE_HOST/"* | *"@$HIVE_FORGE_HOST'"* | *"@$HIVE_FORGE_HOST/"*) ;;
*) exit 1 ;;
esac
case "$1" in
Username*) printf '%s\\n' "$HIVE_FORGE_LOGIN" ;;
*) printf '%s\\n' "$HIVE_FORGE_TOKEN" ;;
esac
`;

/** The host that serves the repositories of a forge to git. */
export const gitHostOf = ({provider, api}: Pick<ForgePlace, 'provider' | 'api'>): string => {
	const {host} = new URL(api);
	return provider === 'github' && host === 'api.github.com' ? 'github.com' : host;
};

/** Any name will do where the password is a token; these are the documented ones. */
const logins: Readonly<Record<ForgePlace['provider'], string>> = {
	github: 'x-access-token',
	gitlab: 'oauth2',
};

/**
 * Returns the variables with which git logs in at the forge by `GIT_ASKPASS`. The token is in no argument and
 * in no file.
 *
 * @param folder a private folder of this user, for the program that git asks
 */
export const loginForGit = async (
	folder: string,
	place: Pick<ForgePlace, 'provider' | 'api'>,
	token: string,
): Promise<Readonly<Record<string, string>>> => {
	const program = join(folder, 'forge-askpass');
	const unfinished = `${program}.${process.pid}`;
	await mkdir(folder, {recursive: true, mode: 0o700});
	await writeFile(unfinished, askpass, {mode: 0o700});
	await rename(unfinished, program);
	return {
		GIT_ASKPASS: program,
		HIVE_FORGE_HOST: gitHostOf(place),
		HIVE_FORGE_LOGIN: logins[place.provider],
		HIVE_FORGE_TOKEN: token,
	};
};
