/** A list is a value: every change gives a new one. */
export const createList = () => [];

export const addItem = (list, title) => [...list, {title, done: false}];

export const finishItem = (list, title) =>
	list.map(item => (item.title === title ? {...item, done: true} : item));

export const openItems = list => list.filter(({done}) => !done);
