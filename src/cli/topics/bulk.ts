export const bulk = `Commands that change many things take a list: queue plan, queue apply, queue assign, presence set, sms send. A list is CSV,
with commas, semicolons or tabs, from -f FILE or from standard input with -f -. Headings are found by their names; --map COL=FIELD says what they do not.

A row that cannot be read is named by file, line and column, and nothing is sent. Cells that a spreadsheet has rewritten, such as 1.16E+20
for an id, are refused. Queues and people may be named by id, extension number, e-mail or name; a name that fits two is refused.

$ ucctl queue assign -f agents.csv --dry-run

First comes the plan, then a question; --yes answers it, and without a terminal it must be there. --dry-run ends before the first
request that changes something, --detailed-exitcode then says with 10 that there is something to change.

What each row came to is written down as it goes. A run that broke off, by Ctrl-C, a full disk or a power cut, is carried on and not done
twice:

$ ucctl queue assign --resume last

--results FILE    the list with the result of each row; it can be given as a list again, and then only what failed is done
--max-errors N    stop when more than N rows, or N%, have failed; --fail-fast stops at the first
--concurrency N   requests at the same time, within the service's rate limits
--max-items N     changes in one request, where the service takes several

Exit code 8 means that some rows failed; a dry run ends with 8, too, when rows of its list would be left out, also under
--detailed-exitcode. What a run changed is in ucctl history list, and ucctl history undo takes it back as far as nothing was changed since.
A list that is sent to people is never sent to one of them twice by itself: what got no answer is reported as unknown, and
ucctl outcome resolve finds out.`;
