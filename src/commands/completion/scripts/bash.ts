/** Completion for bash 3.2 and later. */
export const bash = `# ucctl completion for bash. Load it from ~/.bashrc, or let \`ucctl completion install bash\` do so.
_ucctl() {
  local line first=1 IFS=$'\\n'
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -n "$first" ]; then
      first=
      case $line in
        files) compopt -o default 2>/dev/null ;;
        folders) compopt -o dirnames 2>/dev/null ;;
      esac
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(ucctl __complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _ucctl ucctl
`;
