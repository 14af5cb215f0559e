// The licence notices of what is bundled, which has to carry them wherever it goes.
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';

/** Packages that come without the text they name, with the copyright that stands in their sources. */
const copyrights = {
	'yoga-layout': 'Copyright (c) Meta Platforms, Inc. and affiliates.',
	'@xterm/headless': [
		'Copyright (c) 2017-2022, The xterm.js authors',
		'Copyright (c) 2014-2016, SourceLair Private Company',
		'Copyright (c) 2012-2013, Christopher Jeffrey',
	].join('\n'),
};

const notice = /^(licen[cs]e|copying|notice)/i;

/**
 * One text for all; throws where a package has none. Run from the root of the repository.
 * @param files paths of what esbuild put into the bundles, as its metafiles name them
 */
export const licencesOf = async files => {
	const folders = new Set(files.flatMap(file => /.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
	const texts = await Promise.all(
		[...folders].map(folder => noticeOf(folder.replace(/^.*?(?=node_modules)/, ''))),
	);
	return `hive contains these packages.\n\n${[...new Set(texts)].toSorted().join('\n')}`;
};

const noticeOf = async folder => {
	const {name, version, license} = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
	const files = (await readdir(folder)).filter(file => notice.test(file)).toSorted();
	const own = await Promise.all(files.map(file => readFile(path.join(folder, file), 'utf8')));
	const texts = own.length > 0 ? own : [await mitText(name, license)];
	return `${name} ${version} (${license})\n\n${texts.join('\n').trim()}\n`;
};

const mitText = async (name, license) => {
	const copyright = copyrights[name];
	if (copyright === undefined || license !== 'MIT')
		throw new Error(`${name} comes without the text of its licence.`);
	return (await readFile('LICENSE', 'utf8')).replace(/^Copyright .*$/m, copyright);
};
