# shellcheck shell=bash disable=SC2034,SC2154	# printed tables, locals of the caller
# Completions of tprof-lx for bash. The tables are printed from its option tables.

@TABLES@

# Split the line up to the cursor into words. Bash splits "cycles:u" and "--input=x"
# into three parts each, so starts holds the index of each word's first part.
_tprof_lx_split()
{
	local rest=$COMP_LINE i

	words=() starts=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		if [ "$i" -eq 0 ] || [[ $rest = [[:space:]]* ]]; then
			rest=${rest#"${rest%%[![:space:]]*}"}
			words+=('')
			starts+=("$i")
		fi
		words[-1]+=${COMP_WORDS[i]}
		rest=${rest#"${COMP_WORDS[i]}"}
	done
}

# Offer the matches of compgen for $word, each with the prefix $1.
_tprof_lx_offer()
{
	local before=$1

	shift
	mapfile -t COMPREPLY < <(compgen -P "$before" "$@" -- "$word")
}

# Complete the last of several events: "nmi,cy" becomes "nmi,cycles".
_tprof_lx_events()
{
	local before=$1

	[[ $word != *,* ]] || before=$before${word%,*},
	word=${word##*,}
	compopt -o nospace
	_tprof_lx_offer "$before" -W "$(tprof-lx list --names 2>/dev/null)"
}

_tprof_lx_value()
{
	case $1 in
	FILE)
		compopt -o filenames
		_tprof_lx_offer "$2" -f ;;
	DIR)
		compopt -o filenames
		_tprof_lx_offer "$2" -d ;;
	EVENT)
		_tprof_lx_events "$2" ;;
	esac
}

# Set operand to the index of the first operand, and place to that of the first word after
# which no option is known: $last if the last word may be an option. If the last word is the
# value of an option, place is greater than $last.
_tprof_lx_find_operand()
{
	local i=2 option first=''

	while [ "$i" -lt "$last" ]; do
		option=${words[i]}
		if [[ $option != -?* ]]; then
			[ -n "${_tprof_lx_mixed[$1]-}" ] || break
			first=${first:-$i}
			i=$((i + 1))
			continue
		fi
		i=$((i + 1))
		[ "$option" != -- ] || break
		[ -z "${_tprof_lx_values[$1 $option]-}" ] || i=$((i + 1))
	done
	place=$i operand=${first:-$i}
}

# Complete an operand: a command to run, an event, or a word of the command's own.
_tprof_lx_operand()
{
	case ${_tprof_lx_operands[$1]-} in
	COMMAND)
		if declare -F _command_offset >/dev/null; then
			_command_offset "${starts[operand]}"
			whole=yes
		else
			compopt -o filenames
			_tprof_lx_offer '' -cf
		fi ;;
	EVENT)
		_tprof_lx_events '' ;;
	FILE)
		_tprof_lx_value FILE '' ;;
	*)
		[ "$operand" -lt "$last" ] ||
			_tprof_lx_offer '' -W "${_tprof_lx_operands[$1]-}" ;;
	esac
}

_tprof_lx_word()
{
	local command=${words[1]-} operand place option

	if [ "$last" -eq 1 ]; then
		_tprof_lx_offer '' -W "${!_tprof_lx_options[*]} help --help --version"
		return
	fi
	if [ "$command" = help ]; then
		_tprof_lx_offer '' -W "${!_tprof_lx_options[*]}"
		return
	fi
	_tprof_lx_find_operand "$command"
	if [ "$place" -gt "$last" ]; then
		_tprof_lx_value "${_tprof_lx_values[$command ${words[last - 1]}]-}" ''
	elif [ "$place" -lt "$last" ] || [ "${words[place - 1]}" = -- ] ||
		[[ $word != -* ]]; then
		_tprof_lx_operand "$command"
	elif [[ $word = --*=* ]]; then
		option=${word%%=*}
		word=${word#*=}
		_tprof_lx_value "${_tprof_lx_values[$command $option]-}" "$option="
	else
		_tprof_lx_offer '' -W "${_tprof_lx_options[$command]-}"
	fi
}

_tprof_lx()
{
	local words starts last word whole='' part before

	COMPREPLY=()
	_tprof_lx_split
	last=$((${#words[@]} - 1))
	word=${words[last]}
	part=${COMP_WORDS[COMP_CWORD]}
	[[ $part != [:=] ]] || part=''
	before=${word%"$part"}
	_tprof_lx_word
	# Bash replaces only its own last part, so remove the text before that part.
	[ -n "$whole" ] || COMPREPLY=("${COMPREPLY[@]#"$before"}")
}

complete -F _tprof_lx tprof-lx
