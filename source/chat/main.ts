import {listChats, makeCode, unpairChat} from './chats.ts';
import {runGateway} from './run-gateway.ts';
import {tryBot} from './telegram/try-bot.ts';

/** The chat gateway as the command line runs it, says who is listened to, and looks whether it could run. */
export const chatFace = {runGateway, makeCode, listChats, unpairChat, tryBot};
