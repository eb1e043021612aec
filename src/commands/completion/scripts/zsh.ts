/** Completion for zsh, as a file of `fpath` or sourced after `compinit`. */
export const zsh = `#compdef ucctl
# ucctl completion for zsh. Load it after compinit, or let \`ucctl completion install zsh\` do so.
_ucctl() {
  local -a lines names shown
  local line
  lines=("\${(@f)$(ucctl __complete words "=\${(Q)PREFIX}" "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
  case $lines[1] in
    files) [[ $PREFIX == -*=* ]] && compset -P '*='; _files; return ;;
    folders) [[ $PREFIX == -*=* ]] && compset -P '*='; _files -/; return ;;
  esac
  for line in "\${(@)lines[2,-1]}"; do
    names+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( $#names )) && compadd -U -l -d shown -a names
}
if [ "$funcstack[1]" = _ucctl ]; then
  _ucctl "$@"
else
  compdef _ucctl ucctl
fi
`;
