import {type LiveList, liveLists} from '../host/completion-values.ts';
import type {Command} from './command.ts';
import {commonFlags, type Flag, formatFlag} from './flags.ts';

/** A position in the tree of commands, with what may follow the words so far. */
type Position = {
	readonly path: string;
	readonly words: readonly {readonly word: string; readonly summary: string}[];
	readonly flags: readonly {readonly name: string; readonly flag: Flag}[];
	/** Lists that `hive completion --list` offers for its arguments. */
	readonly live: readonly LiveList[];
};

export const renderBash = (commands: readonly Command[]): string => {
	const positions = positionsOf(commands);
	return `_hive_live() {
  local word previous='' given=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$previous" in --trace | --path | -C) given+=("$previous" "$word") ;; esac
    previous="$word"
  done
  hive completion --list "$1" "\${given[@]}" 2>/dev/null | cut -d ' ' -f 1
}
_hive() {
  local path='' word current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "\${path:+$path }$word" in
      ${pathPattern(positions)}) path="\${path:+$path }$word" ;;
    esac
  done
  local offers=''
  case "$path" in
${cases(positions, position => [`offers='${offersOf(position).join(' ')}'`, ...position.live.map(bashLive)].join('; '))}
  esac
  case "$path $previous" in
${valueCases(
	positions,
	choices => `offers='${choices.join(' ')}'`,
	list => `offers="$(_hive_live ${list})"`,
)}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _hive hive`;
};

/** Queried only if the word being typed is no flag. */
const bashLive = (list: LiveList): string => `[[ $current == -* ]] || offers+=" $(_hive_live ${list})"`;

export const renderZsh = (commands: readonly Command[]): string => {
	const positions = positionsOf(commands);
	return `#compdef hive
_hive_live() {
  local word previous=''
  local -a given lines
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$previous" in --trace | --path | -C) given+=("$previous" "$word") ;; esac
    previous="$word"
  done
  lines=(\${(f)"$(hive completion --list "$1" $given 2>/dev/null)"})
  compadd -l -d lines -- \${lines%% *}
}
local path_words='' word
for word in "\${(@)words[2,CURRENT-1]}"; do
  case "\${path_words:+$path_words }$word" in
    ${pathPattern(positions)}) path_words="\${path_words:+$path_words }$word" ;;
  esac
done
local -a offers
case "$path_words" in
${cases(positions, position =>
	[`offers=(${offersOf(position).join(' ')})`, ...position.live.map(list => `_hive_live ${list}`)].join('; '),
)}
esac
case "$path_words \${words[CURRENT-1]}" in
${valueCases(
	positions,
	choices => `offers=(${choices.join(' ')})`,
	list => `_hive_live ${list}; return`,
)}
esac
if (( $#offers )); then compadd -- $offers; else _files; fi`;
};

export const renderFish = (commands: readonly Command[]): string => {
	const positions = positionsOf(commands);
	return [
		`function __hive_live
  set -l given
  set -l previous ''
  for word in (commandline -opc)[2..]
    contains -- $previous --trace --path -C
    and set -a given $previous $word
    set previous $word
  end
  hive completion --list $argv[1] $given 2>/dev/null | string replace ' ' \\t
end
function __hive_at
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$path $word")
    contains -- $next ${positions.flatMap(({path}) => (path === '' ? [] : [quoteForShell(path)])).join(' ')}
    and set path $next
  end
  test "$path" = "$argv[1]"
end`,
		...positions.flatMap(position => fishLines(position)),
	].join('\n');
};

const fishLines = ({path, words, flags, live}: Position): string[] => {
	const here = `complete -c hive -n "__hive_at ${quoteForShell(path)}"`;
	return [
		...words.map(({word, summary}) => `${here} -f -a ${word} -d ${quoteForShell(summary)}`),
		...live.map(list => `${here} -f -a ${quoteForShell(`(__hive_live ${list})`)}`),
		...flags.map(({name, flag}) =>
			[
				here,
				`-l ${name.slice(2)}`,
				flag.short === undefined ? '' : `-s ${flag.short}`,
				fishValue(flag),
				`-d ${quoteForShell(flag.summary)}`,
			]
				.filter(Boolean)
				.join(' '),
		),
	];
};

const fishValue = (flag: Flag): string => {
	const list = liveListOf(flag);
	if (list !== undefined) return `-xa ${quoteForShell(`(__hive_live ${list})`)}`;
	if (flag.choices !== undefined) return `-xa ${quoteForShell(flag.choices.join(' '))}`;
	return flag.kind === 'boolean' ? '' : '-r';
};

const liveListOf = ({complete}: Flag): LiveList | undefined => liveLists.find(list => list === complete);

/** Positions of every command, and of every prefix of several commands. */
const positionsOf = (commands: readonly Command[]): Position[] => {
	const prefixes = commands.flatMap(({path}) =>
		path.split(' ').map((_, at, words) => words.slice(0, at).join(' ')),
	);
	const paths = new Set([...prefixes, ...commands.map(({path}) => path)]);
	return [...paths].map(path => {
		const command = commands.find(candidate => candidate.path === path);
		const flags = {...command?.flags, ...commonFlags};
		return {
			path,
			words: [...nextWords(path, commands), ...choicesOfArguments(command)],
			flags: Object.entries(flags).map(([name, flag]) => ({name: formatFlag(name, flag), flag})),
			live: Object.values(command?.arguments ?? {}).flatMap(flag => liveListOf(flag) ?? []),
		};
	});
};

const nextWords = (path: string, commands: readonly Command[]) => {
	const start = path === '' ? '' : `${path} `;
	const below = commands.filter(command => command.path.startsWith(start) && command.path !== path);
	const words = [...new Set(below.map(command => command.path.slice(start.length).split(' ')[0] ?? ''))];
	return words.map(word => ({word, summary: summaryOf(start + word, below)}));
};

/** The summary of the command, or the words that may follow. */
const summaryOf = (path: string, commands: readonly Command[]): string =>
	commands.find(command => command.path === path)?.summary ??
	commands
		.filter(command => command.path.startsWith(`${path} `))
		.map(command => command.path.slice(path.length + 1))
		.join(', ');

const choicesOfArguments = (command: Command | undefined) =>
	Object.values(command?.arguments ?? {}).flatMap(({choices = [], summary}) =>
		choices.map(word => ({word, summary})),
	);

const offersOf = ({words, flags}: Position): string[] => [
	...words.map(({word}) => word),
	...flags.map(({name}) => name),
];

const pathPattern = (positions: readonly Position[]): string =>
	positions.flatMap(({path}) => (path === '' ? [] : [quoteForShell(path)])).join(' | ');

const cases = (positions: readonly Position[], body: (position: Position) => string): string =>
	positions.map(position => `    ${quoteForShell(position.path)}) ${body(position)} ;;`).join('\n');

/** Completion after a flag that takes a value: its choices, values of the colony, or nothing. */
const valueCases = (
	positions: readonly Position[],
	fixed: (choices: readonly string[]) => string,
	live: (list: LiveList) => string,
): string =>
	positions
		.flatMap(({path, flags}) =>
			flags
				.filter(({flag}) => flag.kind !== 'boolean')
				.map(({name, flag}) => {
					const list = liveListOf(flag);
					const body = list === undefined ? fixed(flag.choices ?? []) : live(list);
					return `    ${quoteForShell(`${path} ${name}`)}) ${body} ;;`;
				}),
		)
		.join('\n');

const quoteForShell = (words: string): string => `'${words.replaceAll("'", "'\\''")}'`;
