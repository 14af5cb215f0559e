import assert from 'node:assert/strict';
import {test} from 'node:test';
import {addItem, createList, finishItem, openItems} from '../source/todo.mjs';

test('an item that was added is open', () => {
	assert.deepEqual(openItems(addItem(createList(), 'Water the plants')), [
		{title: 'Water the plants', done: false},
	]);
});

test('a finished item is not open any more', () => {
	const list = addItem(createList(), 'Water the plants');
	assert.deepEqual(openItems(finishItem(list, 'Water the plants')), []);
});
