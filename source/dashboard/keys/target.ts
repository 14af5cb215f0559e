import type {DOMElement} from 'ink';
import type {ListId, PaneId, Tab} from '../store/state.ts';

/** What a click or the wheel is on. */
export type Target =
	| {readonly kind: 'tab'; readonly tab: Tab}
	| {readonly kind: 'row'; readonly list: ListId; readonly id: string}
	| {readonly kind: 'pane'; readonly pane: PaneId};

const targets = new WeakMap<DOMElement, Target>();

/** As `ref` of a box: what is drawn in it is that. */
export const targetRef =
	(target: Target | undefined) =>
	(box: DOMElement | null): void => {
		if (box && target) targets.set(box, target);
	};

/**
 * What is drawn at a column and a row of the screen, from where the layout put its box: of boxes in each
 * other the innermost.
 */
export const targetsAt = (root: DOMElement, column: number, row: number): readonly Target[] => {
	const layout = root.yogaNode?.getComputedLayout();
	if (layout === undefined || layout.width === 0) return [];
	const [x, y] = [column - layout.left, row - layout.top];
	if (x < 0 || y < 0 || x >= layout.width || y >= layout.height) return [];
	// What is drawn later is above.
	const below = root.childNodes.toReversed().flatMap(child => {
		const found = child.nodeName === '#text' ? [] : targetsAt(child, x, y);
		return found.length === 0 ? [] : [found];
	});
	const own = targets.get(root);
	return [...(below[0] ?? []), ...(own ? [own] : [])];
};
