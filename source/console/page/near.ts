import type {RefObject} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

type Watched = {
	isDrawn: boolean;
	readonly draw: () => void;
	readonly remove: (height: number) => void;
};

const watched = new Map<Element, Watched>();

/** What is to be drawn or removed, each after a frame. So no task is long, whatever comes into view. */
const due = new Map<Element, () => void>();
let isScheduled = false;

const doNext = (): void => {
	isScheduled = false;
	const [first] = due;
	if (first === undefined) return;
	due.delete(first[0]);
	first[1]();
	schedule();
};

/** Calls in a task of its own, after the next frame. */
const afterFrame = (call: () => void): void => void requestAnimationFrame(() => setTimeout(call));

const schedule = (): void => {
	if (isScheduled || due.size === 0) return;
	isScheduled = true;
	afterFrame(doNext);
};

/** True if the person would miss the element: they have the focus in it, or have selected text. */
const isInUse = (element: Element): boolean =>
	element.contains(document.activeElement) || getSelection()?.isCollapsed === false;

const sight = new IntersectionObserver(
	entries => {
		for (const {target, isIntersecting, boundingClientRect} of entries) {
			const one = watched.get(target);
			due.delete(target);
			if (one === undefined || one.isDrawn === isIntersecting) continue;
			due.set(target, () => {
				if (!isIntersecting && isInUse(target)) return;
				one.isDrawn = isIntersecting;
				if (isIntersecting) one.draw();
				else one.remove(boundingClientRect.height);
			});
		}
		schedule();
	},
	{rootMargin: '800px'},
);

/** What to draw of an element: all of it near the view, else an empty place. */
export type Near<Box extends Element> = {
	readonly box: RefObject<Box | null>;
	readonly isNear: boolean;
	/** The height that it had when it was drawn, in pixels. Absent before. */
	readonly height?: number;
};

/** Says whether an element is near the view. The element has to be the same in both cases. */
export const useNear = <Box extends Element>(): Near<Box> => {
	const [shown, show] = useState<Omit<Near<Box>, 'box'>>({isNear: false});
	const box = useRef<Box>(null);
	useEffect(() => {
		const element = box.current;
		if (element === null) return;
		watched.set(element, {
			isDrawn: false,
			draw: () => show(before => ({...before, isNear: true})),
			// What the browser leaves out has no height.
			remove: height => show(before => (height === 0 ? {...before, isNear: false} : {isNear: false, height})),
		});
		sight.observe(element);
		return () => {
			sight.unobserve(element);
			watched.delete(element);
			due.delete(element);
		};
	}, []);
	return {box, ...shown};
};

/** Entries of a long list that are drawn at once. */
const listStep = 40;

/** Returns how many entries of a long list to draw: some at once, and more after each frame. */
export const useGrowing = (count: number): number => {
	const [drawn, draw] = useState(listStep);
	useEffect(() => {
		if (drawn < count) afterFrame(() => draw(drawn + listStep));
	}, [drawn, count]);
	return drawn;
};
