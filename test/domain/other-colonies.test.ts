import {describe, expect, it} from 'vitest';
import {idsOfSameName, sayOtherColonies} from '../../source/domain/other-colonies.ts';

describe('the other colonies on a bus', () => {
	it('are those with the same name and another id', () => {
		const ids = ['shop-0f3a92c1', 'shop', 'shop-11111111', 'shop-web-22222222', 'bakery-33333333'];
		expect(idsOfSameName(ids, 'shop-0f3a92c1')).toEqual(['shop', 'shop-11111111']);
		expect(idsOfSameName(ids, 'bakery-33333333')).toEqual([]);
	});

	it('are named with the id of this one', () => {
		expect(sayOtherColonies('shop-0f3a92c1', [])).toBeUndefined();
		expect(sayOtherColonies('shop-0f3a92c1', ['shop-11111111'])).toBe(
			'this bus has another colony of the same name: shop-11111111; the id here is shop-0f3a92c1',
		);
	});
});
