import {createContext} from 'preact';
import {useContext, useRef, useState} from 'preact/hooks';
import type {Action, Colony} from '../answers.ts';
import {ActionDialog, labelOf} from './dialog.tsx';
import {useKey} from './keyboard.ts';
import {keyOf} from './keys.ts';
import {Key} from './safe.tsx';

/** What every screen knows. */
export type Shared = {readonly colony: Colony; readonly actions: ReadonlyMap<string, Action>};

export const SharedContext = createContext<Shared | undefined>(undefined);

export const useShared = (): Shared => {
	const shared = useContext(SharedContext);
	if (shared === undefined) throw new Error('Nothing is shared yet.');
	return shared;
};

/** Actions that take something away look like it. */
const destructive = /^(kill|purge|task\.cancel|session\.stop|proposal\.reject|invite\.reject)$/;

/** A button and a key for each action that can be done to something now; none for who may only look. */
export const Actions = ({
	offers,
	names,
	seen,
	initially,
	labels = {},
	done = () => {},
	keys,
}: {
	offers: readonly string[];
	names: Readonly<Record<string, string | undefined>>;
	/** The tag that an action is done to, by its id. */
	seen?: (id: string) => string | undefined;
	initially?: Readonly<Record<string, unknown>>;
	/** What a button says in place of its usual word, by action. */
	labels?: Readonly<Record<string, string>>;
	/** Called when one of them was done. */
	done?: () => void;
	/** When its keys work: always, where it is the one thing on the screen that they can mean, or while its row has the focus. */
	keys: 'always' | 'focused';
}) => {
	const {colony, actions} = useShared();
	const [open, setOpen] = useState<string>();
	const shown = colony.caller.scope === 'act' ? offers.flatMap(id => actions.get(id) ?? []) : [];
	const box = useRef<HTMLDivElement>(null);
	useKey(key => {
		const meant = shown.find(({id}) => keyOf(id) === key);
		const isMeant =
			keys === 'always' || box.current?.closest('li')?.contains(document.activeElement) === true;
		if (!isMeant || meant === undefined) return false;
		setOpen(meant.id);
		return true;
	});
	const chosen = open === undefined ? undefined : actions.get(open);
	return (
		<div class="actions" ref={box}>
			{shown.map(({id, summary}) => (
				<button
					key={id}
					type="button"
					class={destructive.test(id) ? 'away' : id === 'proposal.approve' ? 'act' : ''}
					title={summary}
					aria-keyshortcuts={keyOf(id)}
					onClick={() => setOpen(id)}
				>
					{labels[id] ?? labelOf(id)}
					<Key of={id} />
				</button>
			))}
			{chosen === undefined ? null : (
				<ActionDialog
					action={chosen}
					names={names}
					seen={seen?.(chosen.id)}
					initially={initially}
					done={done}
					close={() => setOpen(undefined)}
				/>
			)}
		</div>
	);
};
