import {createContext, type VNode} from 'preact';
import {useContext, useRef, useState} from 'preact/hooks';
import type {Action, Colony} from '../answers.ts';
import {ActionDialog} from './action-dialog.tsx';
import {HoneyDialog} from './honey.tsx';
import {useKey} from './keyboard.ts';
import {keyOf} from './keys.ts';
import {ofReviewDialog} from './labels.ts';
import {Key, safe} from './safe.tsx';

/** Data that every screen uses. */
export type Shared = {readonly colony: Colony; readonly actions: ReadonlyMap<string, Action>};

export const SharedContext = createContext<Shared | undefined>(undefined);

export const useShared = (): Shared => {
	const shared = useContext(SharedContext);
	if (shared === undefined) throw new Error('Nothing is shared yet.');
	return shared;
};

/** A button and a key for each action that is possible now. None for a read-only caller. */
export const Actions = ({
	offers,
	names,
	seen,
	initially,
	labelOf = () => undefined,
	about,
	options = [],
	done = () => {},
	dialogOf = () => undefined,
	disabled = '',
	keys,
}: {
	offers: readonly string[];
	names: Readonly<Record<string, string | undefined>>;
	/** The precondition of an action (`If-Match`), by the action's id. */
	seen?: (id: string) => string | undefined;
	initially?: Readonly<Record<string, unknown>>;
	/** A label that replaces a button's usual one. */
	labelOf?: (id: string) => string | undefined;
	/** The subject of the dialogs, shown instead of the action's description. */
	about?: string;
	/** Proposed answers for the first action. Each gets a button that fills it in. */
	options?: readonly string[];
	/** Called after one of the actions was done. */
	done?: () => void;
	/** A dialog that replaces the usual one of an action. */
	dialogOf?: (id: string, close: () => void) => VNode | undefined;
	/** The id of an action that is not possible yet. */
	disabled?: string;
	/**
	 * When the keys work: always, if they can mean nothing else on the screen, or while the row has the focus.
	 */
	keys: 'always' | 'focused';
}) => {
	const {colony, actions} = useShared();
	const [open, setOpen] = useState<{readonly id: string; readonly option?: string}>();
	const shown = colony.caller.scope === 'act' ? offers.flatMap(id => actions.get(id) ?? []) : [];
	const box = useRef<HTMLDivElement>(null);
	useKey(key => {
		const meant = shown.find(({id}) => keyOf(id) === key);
		const isMeant =
			keys === 'always' || box.current?.closest('li')?.contains(document.activeElement) === true;
		if (!isMeant || meant === undefined || meant.id === disabled) return false;
		setOpen({id: meant.id});
		return true;
	});
	const chosen = open === undefined ? undefined : actions.get(open.id);
	const [answer] = shown;
	const close = (): void => setOpen(undefined);
	const own =
		chosen?.id === 'energy.add' ? (
			<HoneyDialog action={chosen} traceId={names.traceId ?? ''} done={done} close={close} />
		) : (
			chosen && dialogOf(chosen.id, close)
		);
	/** What waits is answered first; an option is likelier than words. */
	const isLikeliest = (id: string): boolean =>
		about === undefined
			? id === 'proposal.approve' || id === 'plan.accept'
			: id === answer?.id && options.length === 0;
	const nameOf = (id: string): string => labelOf(id) ?? actions.get(id)?.label ?? id;
	return (
		<div class="actions" ref={box}>
			{(answer === undefined ? [] : options).map(option => (
				<button key={option} type="button" class="act" onClick={() => setOpen({id: offers[0] ?? '', option})}>
					{safe(option)}
				</button>
			))}
			{shown
				.toSorted((one, other) => Number(one.danger) - Number(other.danger))
				.map(({id, summary, danger}) => (
					<button
						key={id}
						type="button"
						class={isLikeliest(id) ? 'act' : danger ? 'away' : ''}
						title={about === undefined ? summary : nameOf(id)}
						aria-keyshortcuts={keyOf(id)}
						disabled={id === disabled}
						onClick={() => setOpen({id})}
					>
						{nameOf(id)}
						<Key of={id} />
					</button>
				))}
			{own}
			{chosen === undefined || own !== undefined ? null : (
				<ActionDialog
					action={chosen}
					label={nameOf(chosen.id)}
					about={about}
					names={names}
					seen={seen?.(chosen.id)}
					without={ofReviewDialog[chosen.id] ?? []}
					initially={
						open?.option === undefined
							? initially
							: {...initially, [chosen.id === 'question.answer' ? 'body' : 'feedback']: open.option}
					}
					done={done}
					close={close}
				/>
			)}
		</div>
	);
};
