/** Completion for fish 3 and later. */
export const fish = `# ucctl completion for fish. Save it as ~/.config/fish/completions/ucctl.fish.
function __ucctl_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    # The word as typed, which can have an open quotation mark.
    set -l plain (string unescape -- "$current"; or string unescape -- "$current'"; or string unescape -- "$current\\"")
    set -l lines (command ucctl __complete words "=$plain" $before[2..] 2>/dev/null)
    set -l flag (string match -r -- '^--[^=]*=' "$current")
    set -l path (string replace -r -- '^--[^=]*=' '' "$current")
    switch "$lines[1]"
        case files
            printf '%s\\n' "$flag"(complete -C "no_such_command $path")
        case folders
            printf '%s\\n' "$flag"(complete -C "no_such_command $path" | string match -r '.*/$')
        case '*'
            printf '%s\\n' $lines[2..]
    end
end
complete -c ucctl -e
complete -c ucctl -f -a '(__ucctl_complete)'
`;
