function __hive_live
  set -l given
  set -l previous ''
  for word in (commandline -opc)[2..]
    contains -- $previous --trace --path -C
    and set -a given $previous $word
    set previous $word
  end
  hive completion --list $argv[1] $given 2>/dev/null | string replace ' ' \t
end
function __hive_at
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$path $word")
    contains -- $next 'task' 'status' 'task create' 'task retry' 'replay' 'task list' 'completion'
    and set path $next
  end
  test "$path" = "$argv[1]"
end
complete -c hive -n "__hive_at ''" -f -a status -d 'Show what is going on.'
complete -c hive -n "__hive_at ''" -f -a task -d 'create, retry, list'
complete -c hive -n "__hive_at ''" -f -a replay -d 'Print events.'
complete -c hive -n "__hive_at ''" -f -a completion -d 'Print a script.'
complete -c hive -n "__hive_at ''" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at ''" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at ''" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at ''" -l help -s h -d 'Show how the command is used.'
complete -c hive -n "__hive_at 'task'" -f -a create -d 'Publish a task, the trace'\''s first or another.'
complete -c hive -n "__hive_at 'task'" -f -a retry -d 'Retry a task.'
complete -c hive -n "__hive_at 'task'" -f -a list -d 'List tasks.'
complete -c hive -n "__hive_at 'task'" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at 'task'" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at 'task'" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at 'task'" -l help -s h -d 'Show how the command is used.'
complete -c hive -n "__hive_at 'status'" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at 'status'" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at 'status'" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at 'status'" -l help -s h -d 'Show how the command is used.'
complete -c hive -n "__hive_at 'task create'" -l body -s b -r -d 'What to do.'
complete -c hive -n "__hive_at 'task create'" -l review -xa 'none final' -d 'Who reviews.'
complete -c hive -n "__hive_at 'task create'" -l no-merge -d 'Leave the branch.'
complete -c hive -n "__hive_at 'task create'" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at 'task create'" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at 'task create'" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at 'task create'" -l help -s h -d 'Show how the command is used.'
complete -c hive -n "__hive_at 'task retry'" -l trace -xa '(__hive_live traces)' -d 'The trace.'
complete -c hive -n "__hive_at 'task retry'" -l task -xa '(__hive_live tasks)' -d 'The task.'
complete -c hive -n "__hive_at 'task retry'" -l file -r -d 'A file.'
complete -c hive -n "__hive_at 'task retry'" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at 'task retry'" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at 'task retry'" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at 'task retry'" -l help -s h -d 'Show how the command is used.'
complete -c hive -n "__hive_at 'replay'" -f -a '(__hive_live traces)'
complete -c hive -n "__hive_at 'replay'" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at 'replay'" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at 'replay'" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at 'replay'" -l help -s h -d 'Show how the command is used.'
complete -c hive -n "__hive_at 'task list'" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at 'task list'" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at 'task list'" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at 'task list'" -l help -s h -d 'Show how the command is used.'
complete -c hive -n "__hive_at 'completion'" -f -a bash -d 'The shell.'
complete -c hive -n "__hive_at 'completion'" -f -a fish -d 'The shell.'
complete -c hive -n "__hive_at 'completion'" -l json -d 'Print one JSON document (streams: one per line) instead of text.'
complete -c hive -n "__hive_at 'completion'" -l path -s C -r -d 'Use the colony of this folder.'
complete -c hive -n "__hive_at 'completion'" -l color -xa 'auto always never' -d 'Colour the text; auto follows NO_COLOR and the terminal.'
complete -c hive -n "__hive_at 'completion'" -l help -s h -d 'Show how the command is used.'
