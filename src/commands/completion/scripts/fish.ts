/** Completion for fish 3 and later. */
export const fish = `# ucctl completion for fish. Save it as ~/.config/fish/completions/ucctl.fish.
function __ucctl_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command ucctl __complete words "=$current" $before[2..] 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $lines[2..]
    end
end
complete -c ucctl -e
complete -c ucctl -f -a '(__ucctl_complete)'
`;
