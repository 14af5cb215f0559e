import {expect, it} from 'vitest';
import {startBotApi} from '../helpers/bot-api.ts';
import {createRandom} from '../simulator/random.ts';
import {chatPoints, type Death, everyDeath, playCrashes} from './crash-story.ts';

const once = {approvals: 1, plans: 1, reviewCards: 1, taskCards: 1};

it('a gateway that dies at any point performs each press once and sends each card once', async () => {
	const died = new Set<string>();
	for (const death of everyDeath) {
		const told = await playCrashes(await startBotApi(), [death]);
		expect(told, death.point).toMatchObject(once);
		if (told.deaths > 0) died.add(death.point);
	}
	expect([...died]).toEqual(chatPoints);
});

/** "npm run prove-chat" plays a thousand. */
const stories = Number(process.env.HIVE_CHAT_STORIES ?? 8);

it('gateways that die in a row, with lost answers of the platform, still act once and send each card once', async () => {
	let deaths = 0;
	for (let seed = 1; deaths < stories; seed++) {
		const random = createRandom(seed);
		const drawn: Death[] = Array.from({length: 4}, () => ({
			...(random.pickAny(everyDeath) ?? {point: 'chat.sent', time: 1}),
			loses: random.chance(0.2),
		}));
		const told = await playCrashes(await startBotApi(), drawn);
		expect(told, `seed ${seed}`).toMatchObject(once);
		deaths += told.deaths;
	}
}, 3_600_000);
