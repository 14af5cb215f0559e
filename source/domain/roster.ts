/** The ids of a roster and its copies, with their indexes. Ids are only ever added. */
type Register = {readonly indexes: Map<string, number>; readonly ids: string[]};

/**
 * Neighbouring items of a roster, with the union of their marks. Copies share the block; only the roster
 * whose key it has may write to it.
 */
type Block<Item> = {readonly key: object; readonly items: Item[]; marks: number};

/** Items in a block. Copying a roster costs one entry per block, and changing an item copies one block. */
const blockSize = 32;

/**
 * A persistent map with a bitmap index: items by id, in the order of insertion, read as a `ReadonlyMap`. A
 * copy can be changed and shares all items with its original. It gets its own register of ids only if the two
 * grow differently. Each item has a mark, one bit or more of a number. Items with a mark are found without
 * visiting all others.
 */
export class Roster<Item> implements ReadonlyMap<string, Item> {
	#register: Register;
	readonly #blocks: Block<Item>[];
	#size: number;
	readonly #markOf: (item: Item) => number;
	/** Identifies its own blocks. A reference to the roster itself would keep all its data in memory. */
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

	/** Only for the code that created this copy, before it is shared with any reader. */
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

	/** Items with any of the marks, in order. */
	*having(marks: number): Generator<Item, undefined> {
		for (const block of this.#blocks) {
			if ((block.marks & marks) === 0) continue;
			const isWhole = (block.marks & ~marks) === 0;
			for (const item of block.items) if (isWhole || (this.#markOf(item) & marks) !== 0) yield item;
		}
	}

	/** True if there is an item with any of the marks. */
	hasAny(marks: number): boolean {
		return this.having(marks).next().done !== true;
	}

	/**
	 * Items that are new or different compared with an earlier roster, which this one was copied from. All
	 * items if there is no earlier one.
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
		// Another copy may have added the same id before, since decided events are folded twice.
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

	/** The block for writing: a new one, or a copy of a shared one. */
	#ownBlock(at: number): Block<Item> {
		const known = this.#blocks[at];
		if (known?.key === this.#key) return known;
		const own = {key: this.#key, items: known?.items.slice() ?? [], marks: known?.marks ?? 0};
		this.#blocks[at] = own;
		return own;
	}

	/** Ids that only another copy has added are not found. */
	#indexOf(id: string): number | undefined {
		const index = this.#register.indexes.get(id);
		return index !== undefined && index < this.#size ? index : undefined;
	}

	#idAt(index: number): string {
		return this.#register.ids[index] ?? '';
	}
}

const blockOf = (index: number): number => Math.floor(index / blockSize);
