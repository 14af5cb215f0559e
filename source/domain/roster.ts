/** What a roster and its copies share: ids and their indexes, which are only ever added to. */
type Register = {readonly indexes: Map<string, number>; readonly ids: string[]};

/**
 * Items by id in the order they came, as a read-only map. A copy that can be written costs one array, however many ids there
 * are: ids and their indexes are shared by all copies, and one that grows on its own takes a register of its own.
 */
export class Roster<Item> implements ReadonlyMap<string, Item> {
	#register: Register;
	readonly #items: Item[];

	private constructor(register: Register, items: Item[]) {
		this.#register = register;
		this.#items = items;
	}

	static of<Item>(items: Iterable<Item>, idOf: (item: Item) => string): Roster<Item> {
		const roster = new Roster<Item>({indexes: new Map(), ids: []}, []);
		for (const item of items) roster.put(idOf(item), item);
		return roster;
	}

	copy(): Roster<Item> {
		return new Roster(this.#register, this.#items.slice());
	}

	/** For whoever made this copy, before anybody else reads it. */
	put(id: string, item: Item): void {
		const index = this.#indexOf(id);
		if (index !== undefined) {
			this.#items[index] = item;
			return;
		}
		const {indexes, ids} = this.#register;
		if (ids.length > this.#items.length) {
			const own = ids.slice(0, this.#items.length);
			this.#register = {indexes: new Map(own.map((known, at) => [known, at])), ids: own};
			return this.put(id, item);
		}
		indexes.set(id, this.#items.length);
		ids.push(id);
		this.#items.push(item);
	}

	get size(): number {
		return this.#items.length;
	}

	get(id: string): Item | undefined {
		const index = this.#indexOf(id);
		return index === undefined ? undefined : this.#items[index];
	}

	has(id: string): boolean {
		return this.#indexOf(id) !== undefined;
	}

	values(): MapIterator<Item> {
		return this.#items.values();
	}

	*keys(): MapIterator<string> {
		for (const [at] of this.#items.entries()) yield this.#idAt(at);
	}

	*entries(): MapIterator<[string, Item]> {
		for (const [at, item] of this.#items.entries()) yield [this.#idAt(at), item];
	}

	[Symbol.iterator](): MapIterator<[string, Item]> {
		return this.entries();
	}

	forEach(call: (item: Item, id: string, roster: ReadonlyMap<string, Item>) => void): void {
		for (const [at, item] of this.#items.entries()) call(item, this.#idAt(at), this);
	}

	/** Ids that another copy has added are not here. */
	#indexOf(id: string): number | undefined {
		const index = this.#register.indexes.get(id);
		return index !== undefined && index < this.#items.length ? index : undefined;
	}

	#idAt(index: number): string {
		return this.#register.ids[index] ?? '';
	}
}
