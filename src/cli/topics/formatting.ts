export const formatting = `On a terminal, results are tables that fit its width, with short times. ucctl shows the most important columns, and a note names the
hidden columns. In a pipe, the same records are tab-separated lines without a heading or colors, with complete values. Live events
in a pipe are NDJSON, and so are the changes of a call that ringout start --wait follows.

Times are in UTC. --tz, UCCTL_TZ or the setting tz of a profile selects another time zone for tables, CSV and TSV, also in a pipe. JSON and
YAML have the times of the service.

$ ucctl queue list | cut -f1

-o FORMAT or UCCTL_OUTPUT selects the format:

table     for people
json      one document: an array for a list, an object for a single record
ndjson    one JSON record per line, as it arrives; listen, tail and watch also use it for -o json
csv       RFC 4180 with a heading; text that a spreadsheet would treat as a formula gets a leading apostrophe (--csv-raw omits it), which lists read back without it
tsv       tab-separated, without a heading
yaml      one YAML document

--json is the same as -o json. --json=id,name selects fields, and --json=help lists all fields. --fields name,to.0.phoneNumber selects columns,
or JSON paths.

Only results go to stdout. Notes, questions, progress and errors go to stderr; with -o json or ndjson an error is one line of JSON, the last line on stderr.
ucctl makes control characters in text from the service visible. An empty list is [] in JSON and nothing in a pipe, with exit code 0.

Colors follow --color, then NO_COLOR, CLICOLOR_FORCE, CLICOLOR=0 and TERM=dumb; otherwise, ucctl uses colors on a terminal. Color is never the only
sign of a state.

Boards (queue watch, presence watch) use the whole terminal and respond to keys: q quits, / filters the rows, s sorts by the next column, arrows and
PgUp, PgDn, Home and End scroll, Ctrl-Z suspends until fg, and ? shows help. If an argument is missing, a terminal offers a list to search:
type a few letters, then press Enter. --no-input disables lists and prompts.

For screen readers, use --accessible, or UCCTL_ACCESSIBLE=1 for every command. ucctl then redraws nothing: there is no spinner, a board is a list of
lines, and each question takes one line as its answer. TERM=dumb has the same effect.`;
