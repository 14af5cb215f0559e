import {createElement, Fragment} from 'react';
import type {Line} from '../parts/line.ts';
import {RichText} from './safe-text.tsx';

/** Texts below each other, each on one row. */
export const Lines = ({lines}: {readonly lines: readonly Line[]}) =>
	createElement(Fragment, null, ...lines.map(line => createElement(RichText, {line})));
