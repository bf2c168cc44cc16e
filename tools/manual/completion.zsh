#compdef tprof-lx
#
# Completions of tprof-lx for zsh. The tables are printed from its option tables.

local -a _tprof_lx_commands
local -A _tprof_lx_operands

@TABLES@

_tprof_lx_events()
{
	local -a events

	events=(${(f)"$(tprof-lx list --names 2>/dev/null)"})
	_sequence -s , compadd "$@" - $events
}

_tprof_lx_operand()
{
	case $_tprof_lx_operands[$1] in
	COMMAND)
		# _arguments leaves a "--" in words unless an option precedes it.
		if [[ $words[1] = -- ]]; then
			shift words
			((CURRENT--))
		fi
		_normal ;;
	EVENT)
		_tprof_lx_events ;;
	FILE)
		_files ;;
	?*)
		((CURRENT > 1)) || compadd - ${=_tprof_lx_operands[$1]} ;;
	esac
}

_tprof_lx()
{
	local command=$words[2]

	if ((CURRENT == 2)); then
		_describe -t commands command _tprof_lx_commands
		[[ $PREFIX != -* ]] || compadd - --help --version
		return
	fi
	shift words
	((CURRENT--))
	if [[ $command = help ]]; then
		_describe -t commands command _tprof_lx_commands
		return
	fi
	(($+functions[_tprof_lx_options_$command])) && _tprof_lx_options_$command
}

_tprof_lx "$@"
