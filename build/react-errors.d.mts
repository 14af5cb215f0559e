import type {Plugin} from 'esbuild';

export declare const reactErrors: Plugin;
