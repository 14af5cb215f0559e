#compdef hive
_hive_live() {
  local word previous=''
  local -a given lines
  for word in "${(@)words[2,CURRENT-1]}"; do
    case "$previous" in --trace | --path | -C) given+=("$previous" "$word") ;; esac
    previous="$word"
  done
  lines=(${(f)"$(hive completion --list "$1" $given 2>/dev/null)"})
  compadd -l -d lines -- ${lines%% *}
}
local path_words='' word
for word in "${(@)words[2,CURRENT-1]}"; do
  case "${path_words:+$path_words }$word" in
    'task' | 'status' | 'task create' | 'task retry' | 'replay' | 'task list' | 'completion') path_words="${path_words:+$path_words }$word" ;;
  esac
done
local -a offers
case "$path_words" in
    '') offers=(status task replay completion --json --path --color --help) ;;
    'task') offers=(create retry list --json --path --color --help) ;;
    'status') offers=(--json --path --color --help) ;;
    'task create') offers=(--body --review --no-merge --json --path --color --help) ;;
    'task retry') offers=(--trace --task --file --json --path --color --help) ;;
    'replay') offers=(--json --path --color --help); _hive_live traces ;;
    'task list') offers=(--json --path --color --help) ;;
    'completion') offers=(bash fish --json --path --color --help) ;;
esac
case "$path_words ${words[CURRENT-1]}" in
    ' --path') offers=() ;;
    ' --color') offers=(auto always never) ;;
    'task --path') offers=() ;;
    'task --color') offers=(auto always never) ;;
    'status --path') offers=() ;;
    'status --color') offers=(auto always never) ;;
    'task create --body') offers=() ;;
    'task create --review') offers=(none final) ;;
    'task create --path') offers=() ;;
    'task create --color') offers=(auto always never) ;;
    'task retry --trace') _hive_live traces; return ;;
    'task retry --task') _hive_live tasks; return ;;
    'task retry --file') offers=() ;;
    'task retry --path') offers=() ;;
    'task retry --color') offers=(auto always never) ;;
    'replay --path') offers=() ;;
    'replay --color') offers=(auto always never) ;;
    'task list --path') offers=() ;;
    'task list --color') offers=(auto always never) ;;
    'completion --path') offers=() ;;
    'completion --color') offers=(auto always never) ;;
esac
if (( $#offers )); then compadd -- $offers; else _files; fi
