import {secretsOf} from '../agents/secrets.ts';
import {createRedactor, type Redactor} from '../domain/redact.ts';

/** Returns a redactor of the keys and tokens in an environment. `Host.secrets` also has the colony's own. */
export const redactorOf = (env: Readonly<Record<string, string | undefined>>): Redactor =>
	createRedactor(secretsOf(env, {}));
