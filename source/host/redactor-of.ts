import {secretsOf} from '../agents/secrets.ts';
import {createRedactor, type Redactor} from '../domain/redact.ts';

/**
 * Takes the keys and tokens of an environment out of a text; of a colony's own, `Host.secrets` knows more.
 */
export const redactorOf = (env: Readonly<Record<string, string | undefined>>): Redactor =>
	createRedactor(secretsOf(env, {}));
