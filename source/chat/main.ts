import {listChats, makeCode, unpairChat} from './chats.ts';
import {runGateway} from './run-gateway.ts';
import {tryBot} from './telegram/try-bot.ts';

/**
 * The chat functions that the command line uses: to run the gateway, to manage its chats, and to check the
 * bot.
 */
export const chatFace = {runGateway, makeCode, listChats, unpairChat, tryBot};
