/** What a roster and its copies share: ids and their indexes, which are only ever added to. */
type Register = {readonly indexes: Map<string, number>; readonly ids: string[]};

/**
 * Neighbours in a roster, with the marks that any of them has. Copies share it; it is written under the key
 * it was made with.
 */
type Block<Item> = {readonly key: object; readonly items: Item[]; marks: number};

/** Items of a block: a copy costs an entry for each block, a change the items of one. */
const blockSize = 32;

/**
 * Items by id in the order they came, as a read-only map. A copy that can be written shares all items with
 * the roster it was made of; one that grows on its own takes a register of its own. Each item has a mark, one
 * bit of a number, and those with a mark are found without a look at each of the others.
 */
export class Roster<Item> implements ReadonlyMap<string, Item> {
	#register: Register;
	readonly #blocks: Block<Item>[];
	#size: number;
	readonly #markOf: (item: Item) => number;
	/** Its own; a block that named the roster itself would keep everything that roster holds. */
	readonly #key = {};

	private constructor(
		register: Register,
		blocks: Block<Item>[],
		size: number,
		markOf: (item: Item) => number,
	) {
		this.#register = register;
		this.#blocks = blocks;
		this.#size = size;
		this.#markOf = markOf;
	}

	static of<Item>(
		items: Iterable<Item>,
		idOf: (item: Item) => string,
		markOf: (item: Item) => number,
	): Roster<Item> {
		const roster = new Roster<Item>({indexes: new Map(), ids: []}, [], 0, markOf);
		for (const item of items) roster.put(idOf(item), item);
		return roster;
	}

	copy(): Roster<Item> {
		return new Roster(this.#register, this.#blocks.slice(), this.#size, this.#markOf);
	}

	/** For whoever made this copy, before anybody else reads it. */
	put(id: string, item: Item): void {
		const index = this.#indexOf(id);
		if (index === undefined) this.#add(id, item);
		else this.#replace(index, item);
	}

	get size(): number {
		return this.#size;
	}

	get first(): Item | undefined {
		return this.#blocks[0]?.items[0];
	}

	get(id: string): Item | undefined {
		const index = this.#indexOf(id);
		return index === undefined ? undefined : this.#blocks[blockOf(index)]?.items[index % blockSize];
	}

	has(id: string): boolean {
		return this.#indexOf(id) !== undefined;
	}

	/** Those with any of the marks, in order. */
	*having(marks: number): Generator<Item, undefined> {
		for (const block of this.#blocks) {
			if ((block.marks & marks) === 0) continue;
			const isWhole = (block.marks & ~marks) === 0;
			for (const item of block.items) if (isWhole || (this.#markOf(item) & marks) !== 0) yield item;
		}
	}

	/** Whether there is one with any of the marks. */
	hasAny(marks: number): boolean {
		return this.having(marks).next().done !== true;
	}

	/**
	 * Those that an earlier roster, of which this one was copied, has not or has as other items. All of them
	 * without one.
	 */
	*changedSince(earlier: Roster<Item> | undefined): Generator<Item, undefined> {
		for (const [at, block] of this.#blocks.entries()) {
			const before = earlier === undefined ? undefined : earlier.#blocks[at];
			if (block === before) continue;
			for (const [index, item] of block.items.entries()) if (before?.items[index] !== item) yield item;
		}
	}

	values(): MapIterator<Item> {
		return this.#items().values();
	}

	*keys(): MapIterator<string> {
		for (let index = 0; index < this.#size; index++) yield this.#idAt(index);
	}

	*entries(): MapIterator<[string, Item]> {
		for (const [index, item] of this.#items().entries()) yield [this.#idAt(index), item];
	}

	[Symbol.iterator](): MapIterator<[string, Item]> {
		return this.entries();
	}

	forEach(call: (item: Item, id: string, roster: ReadonlyMap<string, Item>) => void): void {
		for (const [id, item] of this) call(item, id, this);
	}

	#items(): Item[] {
		return this.#blocks.flatMap(({items}) => items);
	}

	#add(id: string, item: Item): void {
		const {indexes, ids} = this.#register;
		// Another copy may have added the same before: what is decided is folded twice.
		if (ids[this.#size] === id) return this.#append(item);
		if (ids.length > this.#size) {
			const own = ids.slice(0, this.#size);
			this.#register = {indexes: new Map(own.map((known, at) => [known, at])), ids: own};
			return this.#add(id, item);
		}
		indexes.set(id, this.#size);
		ids.push(id);
		this.#append(item);
	}

	#append(item: Item): void {
		const block = this.#ownBlock(blockOf(this.#size));
		block.items.push(item);
		block.marks |= this.#markOf(item);
		this.#size += 1;
	}

	#replace(index: number, item: Item): void {
		const block = this.#ownBlock(blockOf(index));
		const before = block.items[index % blockSize];
		block.items[index % blockSize] = item;
		const isMarkedAlike = before !== undefined && this.#markOf(before) === this.#markOf(item);
		if (!isMarkedAlike) block.marks = block.items.reduce((marks, one) => marks | this.#markOf(one), 0);
	}

	/** That block for writing: a new one, or a copy of one that others have too. */
	#ownBlock(at: number): Block<Item> {
		const known = this.#blocks[at];
		if (known?.key === this.#key) return known;
		const own = {key: this.#key, items: known?.items.slice() ?? [], marks: known?.marks ?? 0};
		this.#blocks[at] = own;
		return own;
	}

	/** Ids that another copy has added are not here. */
	#indexOf(id: string): number | undefined {
		const index = this.#register.indexes.get(id);
		return index !== undefined && index < this.#size ? index : undefined;
	}

	#idAt(index: number): string {
		return this.#register.ids[index] ?? '';
	}
}

const blockOf = (index: number): number => Math.floor(index / blockSize);
