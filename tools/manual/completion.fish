# Completions of tprof-lx for fish. The tables are printed from its option tables.

# Is $argv[1] the command on the line?
function __tprof_lx_runs
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = $argv[1]
end

# Can the next word be an option of command $argv[1]? The options of that command that
# take a value are $argv[2..-1].
function __tprof_lx_takes_option
    __tprof_lx_runs $argv[1]; or return
    set -l words (commandline -opc)
    set -e words[1..2]
    while set -q words[1]
        string match -qr -- '^-(-.|[^-])' $words[1]; or return
        if contains -- $words[1] $argv[2..-1]
            set -e words[1]
        end
        set -e words[1]
    end
end

function __tprof_lx_events
    __fish_complete_list , 'tprof-lx list --names 2>/dev/null'
end

complete -c tprof-lx -f
complete -c tprof-lx -n __fish_use_subcommand -a help -d 'print a help text'
complete -c tprof-lx -n __fish_use_subcommand -l help -d 'print a help text'
complete -c tprof-lx -n __fish_use_subcommand -l version -d 'print the version'
@TABLES@
