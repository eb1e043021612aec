export const formatting = `A terminal gets a table, fitted to its width, with relative times. A pipe gets the same records as
tab-separated lines: no heading, no colours, nothing cut, times in full UTC. Live events in a pipe are NDJSON.

$ ucctl queue list | cut -f1

-o FORMAT, or UCCTL_OUTPUT, chooses the format:

table     for people
json      one document: an array for a list, an object for one thing
ndjson    one JSON record a line, as it comes; listen, tail and watch write so under json too
csv       RFC 4180 with a heading; text that a spreadsheet would run as a formula gets a leading apostrophe (--csv-raw: as it came)
tsv       tab-separated, without a heading
yaml      one YAML document

--json is -o json. --json=id,name keeps those fields, --json=help lists them. --fields name,to.0.phoneNumber picks columns,
or paths into the record.

Only results go to stdout. Notes, questions, progress and errors go to stderr; with -o json or ndjson an error is one line of JSON.
Control characters in text from the service are made visible and never reach the terminal. An empty list is [] in JSON and nothing in a
pipe, with exit code 0.

Colours: --color, then NO_COLOR, CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb, and then whether it is a terminal. Nothing is said by colour alone.

For screen readers: --accessible, or UCCTL_ACCESSIBLE=1 for every command. Nothing moves and nothing is drawn again: no spinner, a board comes as
lines, a question is one line that is answered with a line. TERM=dumb does the same.`;
