import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import less from 'highlight.js/lib/languages/less';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = {
	...{bash, c, cpp, csharp, css, dart, dockerfile, elixir, go, graphql, ini, java, javascript, json, kotlin},
	...{less, lua, makefile, markdown, php, powershell, protobuf, python, ruby, rust, scala, scss, sql, swift},
	...{typescript, xml, yaml},
};

/** An instance of our own, independent of other users of the shared one. */
export const highlighter = core.newInstance();
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);
highlighter.configure({classPrefix: ''});

/** Languages by file name, in lower case. */
const named: Readonly<Record<string, keyof typeof languages>> = {
	...{dockerfile: 'dockerfile', containerfile: 'dockerfile'},
	...{makefile: 'makefile', gnumakefile: 'makefile'},
	...{gemfile: 'ruby', rakefile: 'ruby', podfile: 'ruby', brewfile: 'ruby'},
	...{'.bashrc': 'bash', '.bash_profile': 'bash', '.profile': 'bash', '.zshrc': 'bash'},
	...{'.editorconfig': 'ini', '.gitconfig': 'ini', '.npmrc': 'ini'},
	...{'.prettierrc': 'json', '.babelrc': 'json'},
};

/** Languages by file extension that the highlighter does not know as an alias. */
const ended: Readonly<Record<string, keyof typeof languages>> = {
	...{
		vue: 'xml',
		htm: 'xml',
		mdx: 'markdown',
		tf: 'ini',
		conf: 'ini',
		sbt: 'scala',
		pyi: 'python',
		rake: 'ruby',
	},
};

/** Returns the language of a file, by its name or its extension; undefined if unknown. */
export const languageOf = (path: string): string | undefined => {
	const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
	if (Object.hasOwn(named, name)) return named[name];
	if (/^(docker|container)file\./.test(name)) return 'dockerfile';
	const dot = name.lastIndexOf('.');
	if (dot < 0) return;
	const ending = name.slice(dot + 1);
	if (Object.hasOwn(ended, ending)) return ended[ending];
	return highlighter.getLanguage(ending) === undefined ? undefined : ending;
};
