/** The HTML of the inspector page. It contains no events, because its script loads them. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>ucctl live events</title>
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<header>
<h1>Live events</h1>
<p id="state" role="status">Connecting</p>
</header>
<form id="filter" role="search">
<label class="grow"><span>Search</span><input id="text" type="search" placeholder="Number, ID or text" autocomplete="off" spellcheck="false"></label>
<label><span>Show</span><select id="kind">
<option value="">all events</option>
<option value="messages">messages</option>
<option value="presence">presence</option>
<option value="lines">lines</option>
<option value="extensions">extensions</option>
<option value="reminder">reminders</option>
<option value="recovered">recovered only</option>
</select></label>
</form>
<main>
<section id="stream" aria-label="Events">
<p id="empty" hidden>No events yet. They appear here as they arrive.</p>
<ol id="list"></ol>
</section>
<section id="detail" aria-label="Event" tabindex="-1" hidden>
<button type="button" id="back">Back to the list</button>
<div class="title"><h2 id="name"></h2><span id="marks"></span></div>
<dl id="facts"></dl>
<h3>Body</h3>
<div id="tree"></div>
<h3>Deliveries</h3>
<p id="none">No deliveries. Use --forward-to or --exec to deliver events.</p>
<div class="scroll"><table id="deliveries" hidden>
<thead><tr><th>Target</th><th>State</th><th>Attempts</th><th>Time</th></tr></thead>
<tbody></tbody>
</table></div>
<h3>Resend</h3>
<form id="replay">
<label><span>URL</span><input id="target" type="url" required placeholder="http://localhost:3000/hook" autocomplete="off" spellcheck="false"></label>
<details id="edit"><summary>Edit before sending</summary><label><span>Notification (JSON)</span><textarea id="body" rows="12" spellcheck="false"></textarea></label></details>
<button type="submit">Send</button>
<output id="outcome" for="target body"></output>
</form>
</section>
</main>
<footer><kbd>/</kbd> search <kbd>↑</kbd> <kbd>↓</kbd> select <kbd>Enter</kbd> open <kbd>Esc</kbd> back</footer>
</body>
</html>
`;
