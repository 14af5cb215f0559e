import {accepted} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {configurationForm, isLong} from '../forms/configuration.ts';
import {outcomeOf} from '../outcome-of.ts';
import {showToast} from '../store/notice-changes.ts';
import type {HandleContext} from './context.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openForm} from './open-form.ts';

/**
 * Shows the configuration changes that await a person's approval, long ones in their pager first. Then asks
 * to accept them.
 */
export const acceptConfiguration = (context: HandleContext): void => void ask(context);

const ask = async (context: HandleContext): Promise<void> => {
	const {world: services, store} = context;
	const found = await outcomeOf(services, async () => accepted(await services.configurationChanges()));
	if (!found.ok) return store.dispatch(showToast(`${found.refusal.message} ${found.refusal.hint}`, 'bad'));
	const changes = found.value;
	if (changes.seen === '') return store.dispatch(showToast('No change below .hive/ waits for you.', 'info'));
	if (isLong(changes)) await lendTerminal(context, () => services.openPager(escapeHidden(changes.patch)));
	openForm(context, configurationForm(services.now(), changes));
};
