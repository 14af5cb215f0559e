import {type ComponentChildren, createContext} from 'preact';
import {useContext, useEffect, useRef, useState} from 'preact/hooks';

/** Removes the words typed in a dialog. Undefined while there are none. */
type Typed = {current: (() => void) | undefined};

const TypedContext = createContext<Typed>({current: undefined});

/** Tells the dialog around it how to remove the words that were typed. It then asks before it closes. */
export const useTyped = (discard: (() => void) | undefined): void => {
	useContext(TypedContext).current = discard;
};

/** A dialog over the page. Escape and its button close it. If words were typed, it asks about them first. */
export const Dialog = ({
	title,
	close,
	children,
}: {
	title: string;
	close: () => void;
	children: ComponentChildren;
}) => {
	const box = useRef<HTMLDialogElement>(null);
	const typed = useRef<Typed['current']>(undefined);
	const [isAsking, ask] = useState(false);
	useEffect(() => {
		// The element that had the focus gets it back by the browser, if it is still there.
		box.current?.showModal();
	}, []);
	const leave = (): void => (typed.current === undefined ? close() : ask(true));
	return (
		<dialog
			ref={box}
			onClose={close}
			aria-label={title}
			onKeyDown={event => {
				if (event.key !== 'Escape') return;
				event.preventDefault();
				if (isAsking) ask(false);
				else leave();
			}}
		>
			<header>
				<h2>{title}</h2>
				<button type="button" class="plain" onClick={leave} aria-label="Close">
					✕
				</button>
			</header>
			{isAsking ? (
				<div class="card asks" role="alertdialog" aria-label="You typed something here">
					<p>You typed something here.</p>
					<div class="actions">
						<button type="button" class="act" ref={focusOn} onClick={() => ask(false)}>
							Go on
						</button>
						<button type="button" onClick={close}>
							Keep it for later
						</button>
						<button
							type="button"
							class="away"
							onClick={() => {
								typed.current?.();
								close();
							}}
						>
							Discard it
						</button>
					</div>
				</div>
			) : null}
			<TypedContext.Provider value={typed}>{children}</TypedContext.Provider>
		</dialog>
	);
};

const focusOn = (element: HTMLElement | null): void => element?.focus();
