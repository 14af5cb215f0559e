import type {DOMElement} from 'ink';
import type {ListId, PaneId, Tab} from '../store/state.ts';

/** The target of a click or of the wheel. */
export type Target =
	| {readonly kind: 'tab'; readonly tab: Tab}
	| {readonly kind: 'row'; readonly list: ListId; readonly id: string}
	| {readonly kind: 'pane'; readonly pane: PaneId};

const targets = new WeakMap<DOMElement, Target>();

/** The `ref` of a box that makes it a target. */
export const targetRef =
	(target: Target | undefined) =>
	(box: DOMElement | null): void => {
		if (box && target) targets.set(box, target);
	};

/** The targets at a column and a row of the screen, by the layout of their boxes, the innermost first. */
export const targetsAt = (root: DOMElement, column: number, row: number): readonly Target[] => {
	const layout = root.yogaNode?.getComputedLayout();
	if (layout === undefined || layout.width === 0) return [];
	const [x, y] = [column - layout.left, row - layout.top];
	if (x < 0 || y < 0 || x >= layout.width || y >= layout.height) return [];
	// A later child is drawn above the earlier ones.
	const below = root.childNodes.toReversed().flatMap(child => {
		const found = child.nodeName === '#text' ? [] : targetsAt(child, x, y);
		return found.length === 0 ? [] : [found];
	});
	const own = targets.get(root);
	return [...(below[0] ?? []), ...(own ? [own] : [])];
};
